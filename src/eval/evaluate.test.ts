import { describe, expect, it } from "vitest";
import { withMark } from "../values/marks.ts";
import { showValue } from "../values/show.ts";
import { dynamicType, listOf, mapOf, numberType, objectOf, stringType } from "../values/type.ts";
import { typeText } from "../values/type-text.ts";
import {
  mapValue,
  nullValue,
  numberValue,
  objectValue,
  stringValue,
  Unknown,
  unknownValue,
  type Value,
} from "../values/value.ts";
import { evaluate } from "./evaluate.ts";
import { functionTable } from "./functions/table.ts";
import { type Scope, scopeOf } from "./scope.ts";
import { parsed } from "./testing.ts";

const scope = scopeOf(
  {
    var: objectValue({
      name: stringValue("x"),
      count: numberValue(2),
      secret: withMark(stringValue("s"), "sensitive"),
    }),
    unknown: objectValue({
      string: unknownValue(stringType),
      list: unknownValue(listOf(objectOf({ a: numberType }))),
      any: unknownValue(dynamicType),
    }),
    hosts: mapValue(stringType, new Map([["web1", stringValue("10.0.0.1")]])),
    nothing: nullValue(stringType),
  },
  functionTable({ baseDirectory: "/nonexistent" }),
);

function value(text: string, where: Scope = scope): Value {
  const outcome = evaluate(parsed(text), where);
  expect(outcome.diagnostics).toEqual([]);
  return outcome.value;
}

/** Diagnostics with the text that they underline. */
function problems(text: string): unknown[] {
  return evaluate(parsed(text), scope).diagnostics.map(({ summary, detail, range }) => ({
    summary,
    detail,
    at: range && text.slice(range.start, range.end),
  }));
}

describe("evaluate", () => {
  it.each([
    ["var.name", '"x"'],
    ["${var.name}-${var.count}", '"x-2"'],
    ['{ for k, v in hosts : v => "${k}!" }["10.0.0.1"]', '"web1!"'],
    ["[for k, v in hosts : [for x in [k] : { k = v, (k) = x }]][0][0].web1", '"web1"'],
    ["[for var in [1] : var]", "[\n  1,\n]"],
    ["try(var.nope, var.name)", '"x"'],
    ["can(var.nope)", "false"],
  ])("%s is %s", (text, shown) => {
    expect(showValue(value(text.startsWith("$") ? JSON.stringify(text) : text))).toBe(shown);
  });

  // Summaries and details are OpenTofu's, plus the suggestion.
  it.each([
    ["vra.name", "Unknown variable", 'There is no variable named "vra". Did you mean "var"?', "vra"],
    [
      "var.nmae",
      "Unsupported attribute",
      'This object does not have an attribute named "nmae". Did you mean "name"?',
      "nmae",
    ],
    [
      "hosts.web2",
      "Missing map element",
      'This map does not have an element with the key "web2". Did you mean "web1"?',
      "web2",
    ],
    [
      'hosts["web2"]',
      "Invalid index",
      'The given key does not identify an element in this collection value. Did you mean "web1"?',
      '"web2"',
    ],
    [
      "[1, 2][2]",
      "Invalid index",
      "The given key does not identify an element in this collection value.",
      "2",
    ],
    [
      "var.name + 1",
      "Invalid operand",
      "Unsuitable value for left operand: a number is required.",
      "var.name",
    ],
    [
      "1 / 0 - 1 / 0",
      "Operation failed",
      "Error during operation: can't subtract infinity from itself.",
      "1 / 0 - 1 / 0",
    ],
    [
      '"a-${nothing}"',
      "Invalid template interpolation value",
      "The expression result is null. Cannot include a null value in a string template.",
      "nothing",
    ],
    [
      "uper(1)",
      "Call to unknown function",
      'There is no function named "uper". Did you mean "upper"?',
      "uper",
    ],
    [
      'join(",", ["a"], 3)',
      "Invalid function argument",
      'Invalid value for "lists" parameter: list of string required, but have number.',
      "3",
    ],
    [
      "[for x in [1, 2] : x if null]",
      "Condition is null",
      "The value of the 'if' clause must not be null.",
      "null",
    ],
    [
      '{ for x in [1, 2] : "a" => x }',
      "Duplicate object key",
      "Two different items produced the key \"a\" in this 'for' expression. If duplicates are expected, use the ellipsis (...) after the value expression to enable grouping by key.",
      '"a"',
    ],
    [
      "nothing ? 1 : 2",
      "Null condition",
      "The condition value is null. Conditions must either be true or false.",
      "nothing",
    ],
    [
      "true ? 1 : [2]",
      "Inconsistent conditional result types",
      "The true and false result expressions must have consistent types. The 'true' value is number, but the 'false' value is tuple.",
      "true ? 1 : [2]",
    ],
    [
      "provider::x::y(1)",
      "Call to unknown function",
      'There is no function named "provider::x::y". Functions of providers cannot be called here.',
      "provider::x::y",
    ],
  ])("%s: %s", (text, summary, detail, at) => {
    expect(problems(text)).toEqual([{ summary, detail, at }]);
  });

  it("finds all problems, each one once", () => {
    expect(problems("[nope1, nope2, [for x in [1, 2, 3] : nope3]]")).toHaveLength(3);
  });

  it("goes on with an unknown after a problem", () => {
    const outcome = evaluate(parsed("[nope, 1]"), scope);
    expect(showValue(outcome.value)).toBe("[\n  (known after apply),\n  1,\n]");
  });

  it.each([
    'parseint("geheim${var.secret}", 10)',
    'base64decode("geheim${var.secret}")',
    'file("geheim${var.secret}")',
    'regex("(geheim${var.secret}", "x")',
    'lookup({ a = 1 }, "geheim${var.secret}")',
    'tonumber("geheim${var.secret}")',
    'timeadd("geheim${var.secret}", "1h")',
    'cidrhost("geheim${var.secret}", 1)',
    'format("%geheim", var.secret)',
    'sensitive({ geheim1 = 1 })["geheim"]',
    "tomap(sensitive({ geheim1 = 1 })).geheim2",
    '{ a = 1 }["geheim${var.secret}"]',
    'templatestring("$${nope(v)}", { v = "geheim${var.secret}" })',
    '[for k, v in { (sensitive("geheim")) = 1 } : tonumber(k)]',
    '{ (sensitive("geheim")) = 1 } + 1',
    "sensitive([tomap({ geheim1 = 1 })])[*].geheim2",
    '{ for x in sensitive(["geheim", "geheim"]) : x => 1 }',
    '"%{ for x in sensitive(["geheim"]) }${tonumber(x)}%{ endfor }"',
    '[for x in sensitive(["geheim"]) : x == "" ? 1 : parseint(x, 10)]',
  ])("tells no secret about %s", (text) => {
    const { diagnostics } = evaluate(parsed(text), scope);
    expect(diagnostics).not.toEqual([]);
    for (const { detail } of diagnostics) expect(detail.replace("geheim2", "")).not.toMatch(/geheim|"s"/);
  });

  it("never shows a sensitive key", () => {
    const [problem] = evaluate(parsed("{ for x in [1, 2] : var.secret => x }"), scope).diagnostics;
    expect(problem?.summary).toBe("Duplicate object key");
    expect(problem?.detail).not.toContain('"s"');
  });
});

describe("unknown values", () => {
  it.each([
    ["unknown.string", "string"],
    ["unknown.list[0].a", "number"],
    ["unknown.list[*].a", "list(number)"],
    ["unknown.any.x[3].y", "any"],
    ["unknown.any == 1", "bool"],
    ['unknown.any ? "a" : 1', "string"],
    ["upper(unknown.any)", "string"],
    ['"a${unknown.any}"', "string"],
    ["[for x in unknown.list : x]", "any"],
  ])("%s has the type %s", (text, type) => {
    const result = value(text);
    expect(result.data).toBeInstanceOf(Unknown);
    expect(typeText(result.type)).toBe(type);
  });

  it("of templates know how they begin", () => {
    const { data } = value('"https://${unknown.string}/x"');
    expect((data as Unknown).refinement).toEqual({ notNull: true, prefix: "https://" });
    expect((value('"café${unknown.string}"').data as Unknown).refinement?.prefix).toBe("caf");
  });
});

describe("resolve", () => {
  const asked: unknown[] = [];
  const lazy: Scope = {
    ...scope,
    resolve: (root, steps) => {
      if (root !== "conn3x_file") return undefined;
      asked.push(steps);
      const [name, key] = steps;
      if (name === undefined || !("attribute" in name))
        return { summary: "Invalid reference", detail: "A name." };
      if (key === undefined || !("key" in key)) {
        return { value: unknownValue(mapOf(objectOf({ revision: stringType }))), consumed: 1 };
      }
      return { value: objectValue({ revision: stringValue(`${name.attribute}/${key.key}`) }), consumed: 2 };
    },
  };

  it("is asked with all steps and takes as many as it wants", () => {
    expect(value("conn3x_file.web__config[var.name].revision", lazy).data).toBe("web__config/x");
    expect(asked.pop()).toEqual([{ attribute: "web__config" }, { key: "x" }, { attribute: "revision" }]);
  });

  it("gets no key that is unknown or sensitive", () => {
    value("conn3x_file.web__config[unknown.string].revision", lazy);
    expect(asked.pop()).toEqual([{ attribute: "web__config" }]);
    const revision = value("conn3x_file.web__config[var.secret].revision", lazy);
    expect(asked.pop()).toEqual([{ attribute: "web__config" }]);
    expect(revision.marks?.has("sensitive")).toBe(true);
  });

  it("may say what is wrong", () => {
    const text = "conn3x_file[0].x";
    const [problem] = evaluate(parsed(text), lazy).diagnostics;
    expect(problem).toMatchObject({ summary: "Invalid reference", detail: "A name." });
    expect(text.slice(problem!.range!.start, problem!.range!.end)).toBe(text);
    asked.pop();
  });

  it("is not asked for the variable of a for", () => {
    expect(value("[for conn3x_file in [1] : conn3x_file]", lazy).type.kind).toBe("tuple");
    expect(asked).toEqual([]);
  });
});
