/**
 * @module What the text of an expression shows of a setting of a host or a login, without evaluating it.
 */
import type { Expression } from "../../hcl/tree.ts";
import type { Given, GivenEntry } from "../../login/index.ts";
import { literalKind } from "../check/literal-values.ts";
import { isNullLiteral, literalKey, literalString } from "./literal.ts";

export function givenText(expression: Expression): Given {
  if (expression.kind === "parentheses") return givenText(expression.inner);
  const called = literalKind(expression);
  const about = { called: called ?? "not known", isWritten: true, range: expression };
  if (called === undefined) return { kind: "unknown", ...about };
  if (isNullLiteral(expression)) return { kind: "null", ...about };
  switch (expression.kind) {
    case "tuple":
      return { kind: "list", items: expression.items.map(givenText), ...about };
    case "object":
      return {
        kind: "object",
        entries: expression.items.map(({ key, value }) => entry(literalKey(key), key, value)),
        ...about,
      };
    case "number":
      return { kind: "other", text: expression.text, ...about };
    default: {
      const text = literalString(expression);
      return text === undefined ? { kind: "other", ...about } : { kind: "string", text, ...about };
    }
  }
}

const entry = (name: string | undefined, nameRange: Expression, value: Expression): GivenEntry => ({
  name,
  nameRange,
  value: givenText(value),
});

/** Settings by name; where their names stand does not matter. */
export const givenSettings = (settings: ReadonlyMap<string, Expression>): readonly GivenEntry[] =>
  [...settings].map(([name, value]) => entry(name, value, value));
