import { describe, expect, it } from "vitest";
import { convert, isConversionError } from "../values/convert.ts";
import { withMark } from "../values/marks.ts";
import { showValue } from "../values/show.ts";
import { stringType } from "../values/type.ts";
import type { Value } from "../values/value.ts";
import { unknownValue } from "../values/value.ts";
import { applyDefaults } from "./defaults.ts";
import { evaluate } from "./evaluate.ts";
import { scopeOf } from "./scope.ts";
import { parsed } from "./testing.ts";
import { typeConstraint } from "./type-constraint.ts";

function filled(type: string, value: Value): string {
  const constraint = typeConstraint(parsed(type));
  const converted = convert(applyDefaults(value, constraint.defaults), constraint.type);
  return isConversionError(converted) ? converted.error : showValue(converted.value).replace(/\s+/g, " ");
}

const constant = (text: string): Value => evaluate(parsed(text), scopeOf({})).value;

// More of them are compared with a real engine in test/differential.
describe("applyDefaults", () => {
  it.each([
    ["object({ a = optional(string, 5) })", "{}", '{ "a" = "5" }'],
    ["object({ a = optional(string, 5) })", "{ a = null }", '{ "a" = "5" }'],
    ["object({ a = optional(string, 5) })", '{ a = "x" }', '{ "a" = "x" }'],
    ["object({ a = optional(string) })", "{}", '{ "a" = tostring(null) }'],
    [
      "list(object({ a = optional(object({ b = optional(number, 1) }), {}) }))",
      "[{}, { a = { b = 2 } }]",
      'tolist([ { "a" = { "b" = 1 } }, { "a" = { "b" = 2 } }, ])',
    ],
    ["map(object({ a = optional(bool, true) }))", "{ x = {} }", 'tomap({ "x" = { "a" = true } })'],
    ["tuple([object({ a = optional(number, 1) })])", "[{}]", '[ { "a" = 1 }, ]'],
    ["set(object({ a = optional(number, 1) }))", "[{}, { a = 1 }]", 'toset([ { "a" = 1 }, ])'],
  ])("of %s fills %s", (type, text, result) => {
    expect(filled(type, constant(text))).toBe(result);
  });

  it("keeps marks", () => {
    const value = withMark(constant("{}"), "sensitive");
    const { defaults } = typeConstraint(parsed("object({ a = optional(number, 1) })"));
    expect(applyDefaults(value, defaults).marks?.has("sensitive")).toBe(true);
  });

  it("leaves what is unknown or has no defaults", () => {
    const unknown = unknownValue(stringType);
    expect(applyDefaults(unknown, { values: new Map() })).toBe(unknown);
    expect(applyDefaults(unknown, undefined)).toBe(unknown);
  });
});
