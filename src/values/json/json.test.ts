import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BigFloat } from "../big-float.ts";
import { valuesEqual } from "../equal.ts";
import {
  boolType,
  dynamicType,
  listOf,
  mapOf,
  numberType,
  objectOf,
  setOf,
  stringType,
  type Type,
  tupleOf,
  typeEquals,
} from "../type.ts";
import {
  boolValue,
  nullValue,
  numberValue,
  objectValue,
  setValue,
  stringValue,
  tupleValue,
  unknownValue,
  type Value,
} from "../value.ts";
import { fromJson, jsonText, parseJson, toJson, typeFromJson, typeToJson } from "./json.ts";

it("objects that are read share the type that they are read as", () => {
  const type = objectOf({ a: stringType, b: objectOf({ c: listOf(stringType) }) });
  const read = fromJson(parseJson('{"a": "x", "b": {"c": ["y"]}}'), type);
  expect("value" in read && read.value.type).toBe(type);
  // With an optional attribute it is not the type of a value.
  const loose = objectOf({ a: stringType }, ["a"]);
  const other = fromJson(parseJson("{}"), loose);
  expect("value" in other && other.value.type).toEqual(objectOf({ a: stringType }));
});

describe("parseJson", () => {
  it("keeps numbers exact", () => {
    expect(jsonText(parseJson("[9007199254740993, -0.10, 1E3]"))).toBe("[9007199254740993,-0.1,1000]");
  });

  it("agrees with JSON.parse where there is no number", () => {
    const tree = fc.jsonValue({ noUnicodeString: false }).filter((json) => !/\d/.test(JSON.stringify(json)));
    fc.assert(
      fc.property(tree, fc.constantFrom(undefined, 2), (json, indent) => {
        expect(parseJson(JSON.stringify(json, null, indent))).toEqual(json);
      }),
    );
  });

  it("reads long and escaped strings", () => {
    const long = `${"x".repeat(3_000_000)}\\`;
    expect(parseJson(JSON.stringify([long, '"']))).toEqual([long, '"']);
  });

  it("has no halves of characters", () => {
    expect(parseJson('["\\ud800", "\\ude00\\ud83d", "\\ud83d\\ude00"]')).toEqual([
      "\ufffd",
      "\ufffd\ufffd",
      "😀",
    ]);
    expect(Object.keys(parseJson('{"a\\udc00b": 1}') as object)).toEqual(["a\ufffdb"]);
  });

  it("has ordinary keys only", () => {
    const parsed = parseJson('{"__proto__": "a", "constructor": "b"}');
    expect(Object.entries(parsed as object)).toEqual([
      ["__proto__", "a"],
      ["constructor", "b"],
    ]);
  });

  it.each(["", "{", "[1,]", '{"a":1,}', "01", "tru", "[1] 2", '"a', '"\n"', "{a:1}", "+1", "[".repeat(5000)])(
    "refuses %j",
    (text) => {
      expect(() => parseJson(text)).toThrow(SyntaxError);
    },
  );

  it("says where", () => {
    expect(() => parseJson('{"a": x}')).toThrow("expected a value at offset 6");
  });
});

describe("jsonText", () => {
  it("sorts keys and indents", () => {
    expect(jsonText({ b: [null, true], a: {}, c: [] }, { indent: 2 })).toBe(
      '{\n  "a": {},\n  "b": [\n    null,\n    true\n  ],\n  "c": []\n}',
    );
  });

  it("escapes as Go does", () => {
    expect(jsonText("<a&b>\u2028\b", { escapeHtml: true })).toBe('"\\u003ca\\u0026b\\u003e\\u2028\\u0008"');
    expect(jsonText("<\n")).toBe('"<\\n"');
  });
});

describe("values", () => {
  const big = numberValue(BigFloat.parse("9007199254740993")!);

  it("wraps what is dynamic with its type", () => {
    const value = objectValue({ a: tupleValue([big, stringValue("x")]), b: nullValue(dynamicType) });
    const type = objectOf({ a: dynamicType, b: dynamicType });
    const text = jsonText(toJson(value, type));
    expect(text).toBe('{"a":{"type":["tuple",["number","string"]],"value":[9007199254740993,"x"]},"b":null}');
    const back = fromJson(parseJson(text), type);
    expect("value" in back && valuesEqual(back.value, value)).toBe(true);
  });

  it("fills missing attributes with null", () => {
    const read = fromJson({ a: "x" }, objectOf({ a: stringType, b: numberType }));
    expect(read).toEqual({ value: objectValue({ a: stringValue("x"), b: nullValue(numberType) }) });
  });

  it("takes numbers as strings, and the other way round", () => {
    expect(fromJson("12", numberType)).toEqual({ value: numberValue(12) });
    expect(fromJson(BigFloat.of(12), stringType)).toEqual({ value: stringValue("12") });
  });

  it.each<[string, Type, string]>([
    ['{"a":[1,"x"]}', objectOf({ a: listOf(numberType) }), "a number is required"],
    ['{"b":1}', objectOf({}), 'unsupported attribute "b"'],
    ["[1]", tupleOf([]), "a tuple with 0 elements is required"],
    ["1", mapOf(stringType), "a map of string is required"],
    ["{}", setOf(stringType), "a set of string is required"],
    ["1", dynamicType, "an object with a value and its type is required"],
  ])("refuses %s", (text, type, error) => {
    expect(fromJson(parseJson(text), type)).toMatchObject({ error });
  });

  it("does not store what is unknown or infinite", () => {
    expect(() => toJson(unknownValue(stringType), stringType)).toThrow(RangeError);
    expect(() => toJson(numberValue(BigFloat.infinity), numberType)).toThrow(RangeError);
  });
});

describe("types", () => {
  const types = [
    stringType,
    dynamicType,
    listOf(setOf(mapOf(numberType))),
    tupleOf([stringType, dynamicType]),
    objectOf({ a: stringType, b: objectOf({}) }, ["a"]),
  ];

  it.each(types.map((type) => [jsonText(typeToJson(type)), type] as const))(
    "come back from %s",
    (text, type) => {
      const back = typeFromJson(parseJson(text));
      expect(back !== undefined && typeEquals(back, type)).toBe(true);
    },
  );

  it("have cty's form", () => {
    expect(jsonText(typeToJson(types[4]!))).toBe('["object",{"a":"string","b":["object",{}]},["a"]]');
  });

  it.each(['"any"', '["list"]', '["heap","string"]', '["object",["a"]]', "1"])("%s is none", (text) => {
    expect(typeFromJson(parseJson(text))).toBeUndefined();
  });
});

describe("properties", () => {
  // A type and a way to make values of it.
  const typed: fc.Arbitrary<readonly [Type, fc.Arbitrary<Value>]> = fc.letrec<{
    any: readonly [Type, fc.Arbitrary<Value>];
  }>((tie) => ({
    any: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.constant([stringType, fc.string({ unit: "grapheme" }).map(stringValue)] as const),
      fc.constant([numberType, fc.bigInt().map((number) => numberValue(number))] as const),
      fc.constant([
        numberType,
        fc
          .double({ noNaN: true, noDefaultInfinity: true })
          .map((number) => numberValue(BigFloat.parse(String(number)) ?? BigFloat.zero)),
      ] as const),
      fc.constant([boolType, fc.boolean().map(boolValue)] as const),
      fc.constant([dynamicType, fc.string().map(stringValue)] as const),
      tie("any").map(([type, value]) => {
        return [
          listOf(type),
          sameTypes(fc.array(value, { maxLength: 4 }), type).map((data) => ({ type: listOf(type), data })),
        ] as const;
      }),
      tie("any").map(
        ([type, value]) =>
          [
            setOf(type),
            sameTypes(fc.array(value, { maxLength: 4 }), type).map((data) => setValue(type, data)),
          ] as const,
      ),
      fc.tuple(tie("any"), tie("any")).map(([a, b]) => {
        const values = fc.record({ a: a[1], b: fc.oneof(b[1], fc.constant(nullValue(b[0]))) });
        return [objectOf({ a: a[0], b: b[0] }), values.map(objectValue)] as const;
      }),
    ),
  })).any;

  /** A collection of dynamic elements would have to have elements of one type. */
  function sameTypes(values: fc.Arbitrary<Value[]>, type: Type): fc.Arbitrary<Value[]> {
    return values.filter((list) => list.every((value) => typeEquals(value.type, type)));
  }

  it("values come back from their text", () => {
    const pair = typed.chain(([type, value]) => value.map((made) => [type, made] as const));
    fc.assert(
      fc.property(pair, ([type, value]) => {
        const read = fromJson(parseJson(jsonText(toJson(value, type))), type);
        expect("value" in read && valuesEqual(read.value, value)).toBe(true);
      }),
    );
  });
});
