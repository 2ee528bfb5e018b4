/**
 * @module Type constraints, their defaults and the conversion to them, against variables of a real engine.
 */
import { describe, expect, it } from "vitest";
import { hasErrors } from "../../src/diagnostics/diagnostic.ts";
import { SourceFile } from "../../src/diagnostics/source.ts";
import { applyDefaults } from "../../src/eval/defaults.ts";
import { evaluate } from "../../src/eval/evaluate.ts";
import { scopeOf } from "../../src/eval/scope.ts";
import { typeConstraint } from "../../src/eval/type-constraint.ts";
import { parseExpression } from "../../src/hcl/parse/parse.ts";
import type { Expression } from "../../src/hcl/tree.ts";
import { convert, isConversionError } from "../../src/values/convert.ts";
import { showValue } from "../../src/values/show.ts";
import { findEngine } from "./console.ts";

/** Type and value. */
const cases: readonly (readonly [string, string])[] = [
  ["string", "1"],
  ["number", '"1.50"'],
  ["bool", '"true"'],
  ["any", "[1, true]"],
  ["list(string)", "[1, true, null]"],
  ["list(any)", '[1, "a"]'],
  ["list(any)", "[]"],
  ["set(number)", '["2", 1, 2]'],
  ["set(any)", '["b", "a", 1]'],
  ["map(string)", "{ a = 1, b = true }"],
  ["map(any)", '{ a = 1, b = "x" }'],
  ["map(any)", "{ a = [1], b = [1, 2] }"],
  ["map(list(string))", "{ a = [1], b = [] }"],
  ["tuple([string, number])", '[1, "2"]'],
  ["object({ a = string })", "{ a = 1, extra = 2 }"],
  ["object({ a = string, b = optional(number) })", '{ a = "x" }'],
  ["object({ a = optional(string, 5), b = optional(bool) })", "{}"],
  ['object({ a = optional(string, "d") })', "{ a = null }"],
  ["object({ a = any })", "{ a = [1] }"],
  ["object({ a = optional(any, 1) })", "{}"],
  ["list(object({ a = string, b = optional(number, 3) }))", '[{ a = "x" }, { a = "y", b = 4 }]'],
  ['set(object({ a = optional(string, "z") }))', '[{}, { a = "b" }, { a = "z" }]'],
  [
    "map(object({ a = optional(list(string), []), b = optional(map(number), {}) }))",
    '{ x = {}, y = { a = ["q"] } }',
  ],
  ["object({ n = optional(object({ p = optional(number, 80), q = optional(string) }), {}) })", "{}"],
  ["object({ n = optional(object({ p = optional(number, 80) })) })", "{}"],
  ["object({ n = optional(object({ p = optional(number, 80) })) })", "{ n = {} }"],
  ["object({ n = object({ p = optional(number, 80) }) })", "{ n = { z = 1 } }"],
  ["tuple([object({ a = optional(number, 1) }), string])", '[{}, "x"]'],
  ["list(map(object({ a = optional(number, 1) })))", "[{ k = {} }, {}]"],
  ["map(any)", "{}"],
  ["list(list(any))", '[[1], ["a"], []]'],
  ["object({ a = list(any), b = set(string) })", "{ a = [], b = [] }"],
  ["list(object({ a = any }))", '[{ a = 1 }, { a = "x" }]'],
  ["any", "null"],
  ["list(string)", "null"],
  ["object({ a = string })", "null"],
  ['list(object({ a = string, b-c = optional(string, "x") }))', '[{ a = "1" }]'],
];

function parsed(text: string): Expression {
  const { expression, diagnostics } = parseExpression(new SourceFile("expression", text));
  if (hasErrors(diagnostics)) throw new Error(`${text}: ${diagnostics[0]!.detail}`);
  return expression;
}

function ours(type: string, text: string): string {
  const constraint = typeConstraint(parsed(type));
  if (hasErrors(constraint.diagnostics)) return constraint.diagnostics[0]!.detail;
  const { value } = evaluate(parsed(text), scopeOf({}));
  const converted = convert(applyDefaults(value, constraint.defaults), constraint.type);
  return isConversionError(converted) ? converted.error : showValue(converted.value, 2);
}

const engine = findEngine();
if (engine === undefined) {
  console.warn(
    "Neither tofu nor terraform is on the PATH: type constraints are not compared with a real engine.",
  );
}

describe.skipIf(engine === undefined)("type constraints", () => {
  const variables = cases.map(
    ([type, text], i) => `variable "v${i}" {\n  type = ${type}\n  default = ${text}\n}\n`,
  );
  const answers =
    engine?.evaluate(
      cases.map((_, i) => `var.v${i}`),
      variables.join(""),
    ) ?? [];

  it.each(cases.map(([type, text], i) => [type, text, answers[i]!] as const))(
    "%s takes %s",
    (type, text, answer) => {
      expect(ours(type, text)).toBe(answer);
    },
  );
});
