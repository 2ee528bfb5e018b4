/**
 * @module The keys of a `for_each`, if they are written out.
 */
import type { Expression } from "../../hcl/tree.ts";
import { literalKey, literalString } from "./literal.ts";

/** The keys of `toset(["a", "b"])`, `["a"]` or `{ a = … }`; undefined for other expressions. */
export function literalKeys(expression: Expression): readonly string[] | undefined {
  switch (expression.kind) {
    case "parentheses":
      return literalKeys(expression.inner);
    case "call":
      return expression.name === "toset" && expression.args.length === 1
        ? literalKeys(expression.args[0]!)
        : undefined;
    case "tuple":
      return all(expression.items.map(literalString));
    case "object":
      return all(expression.items.map(({ key }) => literalKey(key)));
    default:
      return undefined;
  }
}

const all = (keys: readonly (string | undefined)[]): readonly string[] | undefined =>
  keys.every((key) => key !== undefined) ? [...new Set(keys)] : undefined;
