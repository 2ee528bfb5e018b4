/**
 * @module The console's `type`: it has an answer where it is the whole expression, as in OpenTofu, and none inside of one.
 */
import { visitExpression } from "../compiler/index.ts";
import { type Diagnostic, errorDiagnostic } from "../diagnostics/diagnostic.ts";
import type { Expression, FunctionCall } from "../hcl/tree.ts";

export interface TypeQuestion {
  /** What is evaluated. */
  readonly asked: Expression;
  /** How many calls of `type` stand around it; 0 for an expression without any. */
  readonly depth: number;
  readonly problems: readonly Diagnostic[];
}

export function typeQuestion(expression: Expression): TypeQuestion {
  let asked = bare(expression);
  let depth = 0;
  while (isTypeCall(asked) && asked.args.length === 1 && !asked.expandFinal) {
    asked = bare(asked.args[0]!);
    depth++;
  }
  const problems: Diagnostic[] = [];
  visitExpression(asked, (node) => {
    if (isTypeCall(node)) problems.push(misplaced(node));
  });
  return { asked: depth === 0 ? expression : asked, depth, problems };
}

/** Without parentheses, and without a template that is one value and nothing else. */
function bare(expression: Expression): Expression {
  if (expression.kind === "parentheses") return bare(expression.inner);
  const [part, more] = expression.kind === "template" ? expression.parts : [];
  return part?.kind === "interpolation" && more === undefined ? bare(part.expression) : expression;
}

const isTypeCall = (expression: Expression): expression is FunctionCall =>
  expression.kind === "call" && expression.name === "type";

const misplaced = ({ args, nameRange }: FunctionCall): Diagnostic =>
  args.length === 1
    ? errorDiagnostic(
        "Invalid use of type function",
        "The console answers type(…) where that is the whole expression; it is not part of another one.",
        { range: nameRange },
      )
    : errorDiagnostic("The function type takes one argument", "Write type(VALUE).", { range: nameRange });
