/**
 * @module The expressions that an expression is directly made of, each with the names that are bound where it stands.
 */
import type { Expression, SplatStep, TemplatePart } from "./tree.ts";

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
  switch (expression.kind) {
    case "number":
    case "keyword":
    case "variable":
      return;
    case "template":
      return eachTemplatePart(expression.parts, bound, visit);
    case "attributeAccess":
      return visit(expression.object, bound);
    case "index":
      visit(expression.collection, bound);
      return visit(expression.key, bound);
    case "splat":
      visit(expression.source, bound);
      return eachSplatKey(expression.steps, (key) => visit(key, bound));
    case "call":
      for (const argument of expression.args) visit(argument, bound);
      return;
    case "unary":
      return visit(expression.operand, bound);
    case "binary":
      visit(expression.left, bound);
      return visit(expression.right, bound);
    case "conditional":
      visit(expression.condition, bound);
      visit(expression.then, bound);
      return visit(expression.otherwise, bound);
    case "parentheses":
      return visit(expression.inner, bound);
    case "tuple":
      for (const item of expression.items) visit(item, bound);
      return;
    case "object":
      for (const { key, value } of expression.items) {
        if (key.kind !== "variable") visit(key, bound);
        visit(value, bound);
      }
      return;
    case "for": {
      visit(expression.collection, bound);
      const inner = withNames(bound, expression);
      for (const part of [expression.key, expression.value, expression.condition])
        if (part !== undefined) visit(part, inner);
    }
  }
}

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

function eachSplatKey(steps: readonly SplatStep[], visit: (key: Expression) => void): void {
  for (const step of steps) {
    if (step.kind === "index") visit(step.key);
    else if (step.kind === "splat") eachSplatKey(step.steps, visit);
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
