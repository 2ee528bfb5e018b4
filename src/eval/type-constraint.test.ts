import { describe, expect, it } from "vitest";
import { typeText } from "../values/type-text.ts";
import { parsed } from "./testing.ts";
import { typeConstraint } from "./type-constraint.ts";

// What valid constraints do is compared with a real engine in test/differential.
describe("typeConstraint", () => {
  it("reads types of any depth", () => {
    const text = "map(list(object({ a = optional(tuple([set(string), any]), null), b = number })))";
    const { type, diagnostics } = typeConstraint(parsed(text));
    expect(diagnostics).toEqual([]);
    expect(typeText(type)).toBe("map(list(object({a=optional(tuple([set(string),any])),b=number})))");
  });

  it.each([
    ["strnig", 'The keyword "strnig" is not a valid type specification. Did you mean "string"?', "strnig"],
    ["list", "The list type constructor requires one argument: write for example list(string).", "list"],
    ["lst(string)", 'The keyword "lst" is not a valid type constructor. Did you mean "list"?', "lst"],
    ["list(string, number)", "The list type constructor requires one argument.", "number"],
    ['"number"', "A type is written without quotes.", '"number"'],
    [
      "object(string)",
      "The object type constructor requires a map of attribute types: object({ name = string }).",
      "string",
    ],
    [
      "tuple(string)",
      "The tuple type constructor requires a list of element types: tuple([string, number]).",
      "string",
    ],
    ["optional(string)", "optional() is possible only for an attribute of object().", "optional(string)"],
    [
      'object({ "a" = string })',
      "Object constructor map keys must be attribute names, written without quotes.",
      '"a"',
    ],
    [
      'object({ a = optional(number, "x") })',
      "This default value is not compatible with the attribute's type constraint: a number is required.",
      '"x"',
    ],
    [
      "object({ a = optional(number, var.x) })",
      'The default must be a constant. There is no variable named "var".',
      "var.x",
    ],
    [
      "1 + 1",
      "A type specification is either a primitive type keyword (bool, number, string), the keyword any, or a complex type constructor call, like list(string).",
      "1 + 1",
    ],
  ])("refuses %s", (text, detail, at) => {
    const { diagnostics } = typeConstraint(parsed(text));
    expect(diagnostics.map((problem) => problem.detail)).toEqual([detail]);
    const { range } = diagnostics[0]!;
    expect(text.slice(range!.start, range!.end)).toBe(at);
  });

  // As OpenTofu 1.12 has it.
  it("takes keywords for names of attributes", () => {
    const { type, diagnostics } = typeConstraint(parsed("object({ true = bool, null = optional(string) })"));
    expect(diagnostics).toEqual([]);
    expect(type).toMatchObject({
      kind: "object",
      attributes: { true: { kind: "bool" }, null: { kind: "string" } },
    });
  });

  it.each([
    ['list("string")', '"string"'],
    ['object({ a = "list" })', '"list"'],
    ['tuple(["map"])', '"map"'],
    ["(string)", "(string)"],
    ["object({ a = string, a = number })", "a"],
    ["object({ true = bool, true = string })", "true"],
  ])("refuses %s as OpenTofu does", (text, at) => {
    const { diagnostics } = typeConstraint(parsed(text));
    expect(diagnostics.map(({ summary }) => summary)).toEqual(["Invalid type specification"]);
    const { range } = diagnostics[0]!;
    expect(text.slice(range!.start, range!.end)).toBe(at);
  });

  it("takes a whole type in quotes", () => {
    expect(typeConstraint(parsed('"list"'))).toMatchObject({ type: { kind: "list" }, diagnostics: [] });
  });
});
