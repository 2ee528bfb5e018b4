/**
 * @module `variable` blocks.
 */

import { errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { Report } from "../../diagnostics/report.ts";
import type { SourceRange } from "../../diagnostics/source.ts";
import type { Block, Expression } from "../../hcl/tree.ts";
import { literalString } from "../hosts/literal.ts";
import { visitExpression } from "../lower/rewrite.ts";
import type { Condition, Variable } from "../model.ts";
import { readBody } from "./body-reader.ts";
import { declareCondition } from "./conditions.ts";
import { singleName } from "./labels.ts";
import { literalBool, literalText } from "./literal-arguments.ts";

const variableRules = {
  where: "a variable",
  attributes: ["type", "default", "description", "sensitive", "nullable", "ephemeral", "deprecated"],
  blocks: ["validation"],
};

export function declareVariable(block: Block, report: Report): Variable | undefined {
  const name = singleName(block, report);
  if (name === undefined) return undefined;
  const { attributes, blocks } = readBody(block.body, variableRules, report);
  if (reservedNames.includes(name)) report(reservedName(name, block.labels[0]!));
  const given = attributes.get("default")?.expression;
  if (given !== undefined) checkDefault(given, report);
  return {
    name,
    type: attributes.get("type")?.expression,
    default: given,
    description: literalText(attributes.get("description"), report),
    // After a syntax error `sensitive = true` may be what was not understood.
    sensitive: block.body.gaps !== undefined || literalBool(attributes.get("sensitive"), false, report, true),
    ephemeral: literalBool(attributes.get("ephemeral"), false, report),
    nullable: literalBool(attributes.get("nullable"), true, report),
    validations: blocks.flatMap((validation) => declareValidation(validation, name, report) ?? []),
    range: block.header,
  };
}

function declareValidation(block: Block, variable: string, report: Report): Condition | undefined {
  const declared = declareCondition(block, "a validation", report);
  if (declared !== undefined && !refersTo(variable, declared.condition)) {
    report(
      errorDiagnostic(
        "The condition is not about its variable",
        `It must refer to var.${variable}: a value that is given is tested by it.`,
        { range: declared.condition },
      ),
    );
  }
  return declared;
}

function refersTo(variable: string, condition: Expression): boolean {
  let found = false;
  visitExpression(condition, (node) => {
    found ||= node.kind === "attributeAccess" && node.name === variable && isRoot(node.object, "var");
    found ||= node.kind === "index" && literalString(node.key) === variable && isRoot(node.collection, "var");
  });
  return found;
}

const isRoot = (expression: Expression, name: string): boolean =>
  expression.kind === "variable" && expression.name === name;

/** Names that mean something else in a `module` block. */
const reservedNames: readonly string[] = [
  "source",
  "version",
  "providers",
  "count",
  "for_each",
  "lifecycle",
  "depends_on",
  "locals",
];

const reservedName = (name: string, range: SourceRange) =>
  errorDiagnostic(
    `"${name}" cannot name a variable`,
    "In a module block it has a meaning of its own. Choose another name.",
    { range },
  );

/** Reports references and calls: a default is needed before either can be evaluated. */
function checkDefault(written: Expression, report: Report): void {
  const fail = (summary: string, range: SourceRange): void =>
    report(
      errorDiagnostic(
        summary,
        "A default stands for itself. What is made of other values goes into locals { … }.",
        { range },
      ),
    );
  visitExpression(written, (node, hidden) => {
    if (node.kind === "variable" && !hidden.has(node.name)) fail("A default cannot refer to anything", node);
    else if (node.kind === "call") fail("A default cannot call functions", node.nameRange);
  });
}
