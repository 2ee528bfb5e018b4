import fc from "fast-check";
import { expect, test } from "vitest";
import { type Json, type JsonObject, jsonText, parseJson, parseJsonParts } from "./json-text.ts";

const text = (json: Json) => jsonText(json);

test("other members are passed over, whatever is in them", () => {
  const given = `{"a": {"b": [1, {"b": 2, "c": 3}], "c": "x"}, "d": ["}", "\\\\\\"]", {"a": [[]]}, -1e5, true, null], "e": [] , "f": {}}`;
  expect(text(parseJsonParts(given, { a: { b: { b: true } }, e: true }))).toBe(
    '{"a":{"b":[1,{"b":2}]},"e":[]}',
  );
  expect(text(parseJsonParts(given, {}))).toBe("{}");
  expect(parseJsonParts("[1, 2]", {})).toEqual(parseJson("[1, 2]"));
  // A member of a name that every object has.
  expect(text(parseJsonParts('{"constructor": 1, "a": 2}', { a: true }))).toBe('{"a":2}');
});

test("whether a member is wanted may depend on what stands before it in its object", () => {
  const unlessSame = (object: JsonObject) => (object.same === true ? undefined : (true as const));
  expect(
    text(
      parseJsonParts('[{"same": true, "b": 1}, {"same": false, "b": 2}, {"b": 3, "same": true}]', {
        same: true,
        b: unlessSame,
      }),
    ),
  ).toBe('[{"same":true},{"b":2,"same":false},{"b":3,"same":true}]');
});

test("every key is an ordinary one", () => {
  const read = parseJson('{"__proto__": {"a": 1}, "constructor": 2}');
  expect(Object.keys(read as JsonObject)).toEqual(["__proto__", "constructor"]);
  expect((parseJson("{}") as JsonObject).toString).toBeUndefined();
  expect(text(read)).toBe('{"__proto__":{"a":1},"constructor":2}');
  expect((parseJson("{}") as JsonObject).a).toBeUndefined();
});

test.each(['{"a": }', '{"a": 1', '{"a": [1', '{"a": "x', '{"a": {"b": 1}', '{"a" 1}', '{"a": 1,}'])(
  "%s is an error",
  (given) => {
    expect(() => parseJsonParts(given, {})).toThrow(SyntaxError);
  },
);

test("a backslash before a letter is no escape of it when it is written", () => {
  for (const given of ["\\b", "a\\\\f", "\b\f", "C:\\foo\\bar", "\\u0008"])
    expect(parseJson(text(given))).toBe(given);
  expect(text("\b")).toBe('"\\u0008"');
});

test("it is what is left of the whole tree", () => {
  const member = fc.constantFrom("a", "b", "c");
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { depthSize: "small" },
      fc.string(),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie("tree")),
      fc.dictionary(member, tie("tree")),
    ),
  }));
  const left = (json: unknown): unknown => {
    if (Array.isArray(json)) return json.map(left);
    if (typeof json !== "object" || json === null) return json;
    return Object.fromEntries(
      Object.entries(json).flatMap(([name, value]) => (name === "b" ? [] : [[name, left(value)]])),
    );
  };
  const wanted: { a?: typeof wanted; c?: typeof wanted } = {};
  Object.assign(wanted, { a: wanted, c: wanted });
  fc.assert(
    fc.property(tree, (json) => {
      const parsed = parseJsonParts(JSON.stringify(json, undefined, 1), wanted as never);
      expect(JSON.parse(text(parsed))).toEqual(left(json));
    }),
  );
});
