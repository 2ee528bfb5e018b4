/**
 * @module The expressions that an expression is directly made of, each with the names that are bound where it stands.
 */
import type { Expression, For, SplatStep, Template, TemplatePart } from "./tree.ts";

/** Names of the `for` variables around an expression: they hide whatever else has these names. */
export type BoundNames = ReadonlySet<string>;

export const noNames: BoundNames = new Set();

/**
 * Calls `visit` for each direct part of an expression, in the order of the text. A bare name as the key of an object is
 * the string of that name, so it is not a part.
 *
 * @param bound the names that are bound where the expression stands
 */
export function eachPart(
  expression: Expression,
  bound: BoundNames,
  visit: (part: Expression, bound: BoundNames) => void,
): void {
  if (expression.kind === "template") eachTemplatePart(expression.parts, bound, visit);
  else if (expression.kind === "for") {
    visit(expression.collection, bound);
    const inner = withNames(bound, expression);
    for (const part of [expression.key, expression.value, expression.condition])
      if (part !== undefined) visit(part, inner);
  } else for (const part of partsOf(expression)) visit(part, bound);
}

/** The direct parts of an expression that binds no names. */
function partsOf(expression: Exclude<Expression, Template | For>): readonly Expression[] {
  switch (expression.kind) {
    case "number":
    case "keyword":
    case "variable":
      return [];
    case "attributeAccess":
      return [expression.object];
    case "index":
      return [expression.collection, expression.key];
    case "splat":
      return [expression.source, ...splatKeys(expression.steps)];
    case "call":
      return expression.args;
    case "unary":
      return [expression.operand];
    case "binary":
      return [expression.left, expression.right];
    case "conditional":
      return [expression.condition, expression.then, expression.otherwise];
    case "parentheses":
      return [expression.inner];
    case "meant":
      return [expression.written];
    case "tuple":
      return expression.items;
    case "object":
      return expression.items.flatMap(({ key, value }) => (key.kind === "variable" ? [value] : [key, value]));
  }
}

const splatKeys = (steps: readonly SplatStep[]): readonly Expression[] =>
  steps.flatMap((step) =>
    step.kind === "index" ? [step.key] : step.kind === "splat" ? splatKeys(step.steps) : [],
  );

function eachTemplatePart(
  parts: readonly TemplatePart[],
  bound: BoundNames,
  visit: (part: Expression, bound: BoundNames) => void,
): void {
  for (const part of parts) {
    if (part.kind === "interpolation") visit(part.expression, bound);
    else if (part.kind === "if") {
      visit(part.condition, bound);
      eachTemplatePart(part.then, bound, visit);
      eachTemplatePart(part.otherwise ?? [], bound, visit);
    } else if (part.kind === "for") {
      visit(part.collection, bound);
      eachTemplatePart(part.body, withNames(bound, part), visit);
    }
  }
}

/** The bound names with the variables of a `for` added. */
export function withNames(
  bound: BoundNames,
  { keyName, valueName }: { readonly keyName: string | undefined; readonly valueName: string },
): BoundNames {
  const names = new Set(bound).add(valueName);
  return keyName === undefined ? names : names.add(keyName);
}
