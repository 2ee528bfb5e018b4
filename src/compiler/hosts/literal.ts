/**
 * @module What the text of an expression shows without evaluating it.
 */
import type { Expression } from "../../hcl/tree.ts";
import { BigFloat } from "../../values/big-float.ts";

/** The value of a string without interpolations; undefined for other expressions. */
export function literalString(expression: Expression): string | undefined {
  if (expression.kind === "parentheses") return literalString(expression.inner);
  if (expression.kind !== "template") return undefined;
  let text = "";
  for (const part of expression.parts) {
    if (part.kind !== "literal") return undefined;
    text += part.value;
  }
  return text;
}

/** The key of an item of an object expression, if it is certain: a bare name is itself, also `null`; `1.50` is "1.5". */
export function literalKey(key: Expression): string | undefined {
  if (key.kind === "variable") return key.name;
  if (key.kind === "keyword") return String(key.value);
  if (key.kind === "number") return BigFloat.parse(key.text)?.toString();
  return literalString(key);
}

/** Whether the value is never null, whatever the variables are. */
export function isNeverNull(expression: Expression): boolean {
  switch (expression.kind) {
    case "number":
    case "tuple":
    case "object":
    case "binary":
    case "unary":
    case "for":
      return true;
    case "call":
      return expression.name === "concat";
    case "keyword":
      return expression.value !== null;
    case "template":
      return isCertainString(expression);
    case "parentheses":
      return isNeverNull(expression.inner);
    default:
      return false;
  }
}

/** Whether the value is certainly a string. That of `"${x}"` is not: it is x itself. */
export function isCertainString(expression: Expression): boolean {
  if (expression.kind === "parentheses") return isCertainString(expression.inner);
  if (expression.kind !== "template") return false;
  const [only, second] = expression.parts;
  return second !== undefined || only?.kind !== "interpolation";
}

/** Whether the expression is the literal `null`. */
export const isNullLiteral = (expression: Expression): boolean =>
  expression.kind === "parentheses"
    ? isNullLiteral(expression.inner)
    : expression.kind === "keyword" && expression.value === null;
