import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { JsonScanner } from "./json-scanner.ts";
import { JsonSyntaxError } from "./json-syntax-error.ts";

/** The next value, taken apart by the scanner itself. */
function taken(scanner: JsonScanner): unknown {
  switch (scanner.kind()) {
    case "object": {
      const entries: [string, unknown][] = [];
      scanner.object((name) => entries.push([name, taken(scanner)]));
      return Object.fromEntries(entries);
    }
    case "array": {
      const elements: unknown[] = [];
      scanner.array(() => elements.push(taken(scanner)));
      return elements;
    }
    case "string":
      return scanner.string();
    case "number":
      return Number(scanner.number());
    default:
      return scanner.word();
  }
}

function read(text: string): unknown {
  const scanner = new JsonScanner(text);
  const value = taken(scanner);
  scanner.finish();
  return value;
}

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

const spaced = fc.constantFrom(undefined, 2);

test("what is JSON is read as JSON.parse does", () => {
  fc.assert(
    fc.property(fc.jsonValue(), spaced, (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      expect(read(`  ${text}\n`)).toEqual(JSON.parse(text));
    }),
  );
});

test("exactly what JSON.parse refuses is refused", () => {
  const unit = fc.constantFrom(...'{}[]:,"\\ /ua10-.eE+', "true", "null", "\n", "\t", "\u0000", "\u00a0");
  fc.assert(
    fc.property(fc.string({ unit }), (text) => {
      const expected = parsed(text);
      if (expected === undefined) expect(() => read(text)).toThrow(JsonSyntaxError);
      else expect(read(text)).toEqual(expected.value);
    }),
    { numRuns: 5000 },
  );
});

test("a value that is passed over ends where it ends when it is read", () => {
  fc.assert(
    fc.property(fc.jsonValue(), spaced, (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      const scanner = new JsonScanner(`${text} `);
      expect(scanner.raw()).toBe(text);
      expect(scanner.end).toBe(text.length);
      scanner.finish();
    }),
  );
});

test("offsets are those of the text of a key and of a value", () => {
  const scanner = new JsonScanner(' { "k\\n" : [ 1 , "x" ] } ');
  scanner.object((key, start, end) => {
    expect([key, start, end]).toEqual(["k\n", 3, 8]);
    expect(scanner.position).toBe(11);
    expect(scanner.raw()).toBe('[ 1 , "x" ]');
    expect(scanner.end).toBe(22);
  });
  expect(scanner.end).toBe(24);
});

describe("an error says what is missing and where", () => {
  test.each([
    ['{"a": x}', "value", 6, 6],
    ["{a: 1}", "key", 1, 1],
    ['{"a" 1}', "colon", 5, 5],
    ['{"a": 1 "b"}', "itemOrEndOfObject", 8, 8],
    ["[1 2]", "itemOrEndOfArray", 3, 3],
    ['["ab', "closingQuote", 4, 1],
    ['["a\nb"]', "closingQuote", 3, 1],
    ['["a\\q"]', "escape", 3, 3],
    ['["a\\u12g4"]', "escape", 3, 3],
    ["1 2", "end", 2, 2],
    ["[".repeat(501), "lessNesting", 500, 500],
  ])("%j", (text, expected, at, start) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ expected, at, start }));
  });
});
