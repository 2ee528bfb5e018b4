/**
 * @module Names and what follows them: `var.network[0].name`, `conn3x_file.web__config[each.key].revision`.
 */
import { didYouMean } from "../diagnostics/nearest.ts";
import type { AttributeAccess, Expression, IndexAccess, Variable } from "../hcl/tree.ts";
import { BigFloat } from "../values/big-float.ts";
import type { PathStep } from "../values/path.ts";
import type { Value } from "../values/value.ts";
import { attributeOf, elementOf } from "./access.ts";
import { type Evaluator, failed } from "./evaluator.ts";

type Access = AttributeAccess | IndexAccess;

/** An attribute's name, or an index's key once it has been evaluated. */
interface Step {
  readonly access: Access;
  /** Only of an index. */
  readonly key: Value | undefined;
}

export function evaluateTraversal(expression: Variable | Access, at: Evaluator): Value {
  const accesses: Access[] = [];
  let base: Expression = expression;
  while (base.kind === "attributeAccess" || base.kind === "index") {
    accesses.unshift(base);
    base = base.kind === "index" ? base.collection : base.object;
  }
  const steps = accesses.map((access): Step => {
    return { access, key: access.kind === "index" ? at.evaluate(access.key) : undefined };
  });
  const start =
    base.kind === "variable" ? resolve(base, steps, at) : { value: at.evaluate(base), consumed: 0 };
  if (start === undefined) return failedName(base as Variable, at);
  return steps.slice(start.consumed).reduce((value, { access, key }) => {
    if (access.kind === "attributeAccess") return attributeOf(value, access.name, access.nameRange, at);
    return elementOf(value, key!, access.key, at);
  }, start.value);
}

function resolve(
  variable: Variable,
  steps: readonly Step[],
  at: Evaluator,
): { readonly value: Value; readonly consumed: number } | undefined {
  const { scope } = at;
  const resolution = scope.resolve?.(variable.name, staticSteps(steps));
  if (resolution === undefined) {
    const value = scope.lookup(variable.name);
    return value === undefined ? undefined : { value, consumed: 0 };
  }
  if ("value" in resolution) return resolution;
  const last = steps.at(-1)?.access ?? variable;
  const value = failed(at, { ...variable, end: last.end }, resolution.summary, resolution.detail);
  return { value, consumed: steps.length };
}

/** The steps before the first whose key is not known yet or has a mark, which would get lost. */
function staticSteps(steps: readonly Step[]): readonly PathStep[] {
  const found: PathStep[] = [];
  for (const { access, key } of steps) {
    const step = access.kind === "attributeAccess" ? { attribute: access.name } : keyStep(key!);
    if (step === undefined) break;
    found.push(step);
  }
  return found;
}

function keyStep({ data, marks }: Value): PathStep | undefined {
  if (marks !== undefined && marks.size > 0) return undefined;
  if (typeof data === "string") return { key: data };
  return data instanceof BigFloat && data.isInteger ? { index: data.toNumber() } : undefined;
}

function failedName(variable: Variable, at: Evaluator): Value {
  const { name } = variable;
  const hint = didYouMean(name, at.scope.names());
  return failed(
    at,
    variable,
    "Unknown variable",
    `There is no variable named ${JSON.stringify(name)}.${hint}`,
  );
}
