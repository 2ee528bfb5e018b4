import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BigFloat } from "./big-float.ts";
import { convert } from "./convert.ts";
import { valuesEqual } from "./equal.ts";
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
} from "./type.ts";
import { typeText } from "./type-text.ts";
import { unify } from "./unify.ts";
import {
  boolValue,
  listValue,
  mapValue,
  nullValue,
  numberValue,
  objectValue,
  setValue,
  stringValue,
  tupleValue,
  Unknown,
  unknownValue,
  type Value,
} from "./value.ts";

const one = numberValue(1);
const x = stringValue("x");
const sensitive = (value: Value): Value => ({ ...value, marks: new Set(["sensitive"] as const) });

function converted(value: Value, type: Type): Value {
  const conversion = convert(value, type);
  if ("error" in conversion) throw new Error(conversion.error);
  return conversion.value;
}

describe("convert", () => {
  it.each<[Value, Type, Value]>([
    [one, stringType, stringValue("1")],
    [stringValue("1.50"), numberType, numberValue(BigFloat.parse("1.5")!)],
    [stringValue("1"), boolType, boolValue(true)],
    [boolValue(false), stringType, stringValue("false")],
    [tupleValue([one, x]), listOf(stringType), listValue(stringType, [stringValue("1"), x])],
    [tupleValue([one, x]), listOf(dynamicType), listValue(stringType, [stringValue("1"), x])],
    [tupleValue([]), listOf(dynamicType), listValue(dynamicType, [])],
    [tupleValue([x, x]), setOf(stringType), setValue(stringType, [x])],
    [objectValue({ a: one }), mapOf(stringType), mapValue(stringType, new Map([["a", stringValue("1")]]))],
    [
      objectValue({ a: one, extra: x }),
      objectOf({ a: stringType, b: boolType }, ["b"]),
      objectValue({ a: stringValue("1"), b: nullValue(boolType) }),
    ],
    [mapValue(stringType, new Map([["a", x]])), objectOf({ a: stringType }), objectValue({ a: x })],
    [nullValue(dynamicType), listOf(numberType), nullValue(listOf(numberType))],
    [unknownValue(dynamicType), numberType, unknownValue(numberType)],
    [unknownValue(tupleOf([numberType, stringType])), listOf(dynamicType), unknownValue(listOf(stringType))],
    [objectValue({ a: one }), objectOf({ a: dynamicType }), objectValue({ a: one })],
  ])("case %#", (value, type, result) => {
    expect(valuesEqual(converted(value, type), result)).toBe(true);
  });

  // Messages as OpenTofu 1.12 gives them for the default value of a variable.
  it.each<[Value, Type, string, unknown]>([
    [x, numberType, "a number is required", []],
    [stringValue("True"), boolType, 'a bool is required; to convert from string, use lowercase "true"', []],
    [one, listOf(stringType), "list of string required, but have number", []],
    [tupleValue([one, x]), listOf(numberType), "a number is required", [{ index: 1 }]],
    [tupleValue([one, tupleValue([])]), listOf(numberType), "element 1: number required, but have tuple", []],
    [tupleValue([one, tupleValue([])]), listOf(dynamicType), "all list elements must have the same type", []],
    [objectValue({}), objectOf({ a: stringType }), 'attribute "a" is required', []],
    [
      objectValue({}),
      objectOf({ a: stringType, b: stringType, c: stringType }),
      'attributes "a", "b", and "c" are required',
      [],
    ],
    [
      objectValue({ a: objectValue({ b: tupleValue([]) }) }),
      objectOf({ a: objectOf({ b: stringType }) }),
      'attribute "a": attribute "b": string required, but have tuple',
      [],
    ],
    [
      objectValue({ a: objectValue({ b: x }) }),
      objectOf({ a: mapOf(numberType) }),
      "a number is required",
      [{ attribute: "a" }, { key: "b" }],
    ],
    [
      mapValue(stringType, new Map()),
      objectOf({ a: stringType }),
      'map has no element for required attribute "a"',
      [],
    ],
  ])("refuses case %#: %o", (value, type, error, path) => {
    expect(convert(value, type)).toEqual({ error, path });
  });

  it("keeps marks where they are, and on the whole set", () => {
    const list = converted(tupleValue([sensitive(one), x]), listOf(stringType));
    expect((list.data as readonly Value[]).map(({ marks }) => marks?.has("sensitive") ?? false)).toEqual([
      true,
      false,
    ]);
    const set = converted(tupleValue([sensitive(one), x]), setOf(stringType));
    expect(set.marks?.has("sensitive")).toBe(true);
    expect((set.data as readonly Value[]).every(({ marks }) => marks === undefined)).toBe(true);
    expect(converted(sensitive(x), stringType).marks?.has("sensitive")).toBe(true);
  });

  it("remembers that an unknown is not null", () => {
    const { data } = converted(unknownValue(numberType, { notNull: true }), stringType);
    expect(data).toBeInstanceOf(Unknown);
    expect((data as Unknown).refinement).toEqual({ notNull: true });
  });
});

describe("unify", () => {
  // As the console's type(true ? A : B) says.
  it.each<[Type[], string | undefined]>([
    [[], "any"],
    [[stringType, numberType, boolType], "string"],
    [[numberType, boolType], undefined],
    [[listOf(stringType), setOf(stringType)], "list(string)"],
    [[setOf(stringType), tupleOf([stringType, numberType])], "set(string)"],
    [[tupleOf([numberType]), tupleOf([numberType, numberType])], "list(number)"],
    [[tupleOf([numberType, stringType]), tupleOf([stringType, numberType])], "tuple([string,string])"],
    [[objectOf({ a: numberType }), objectOf({ b: numberType })], "map(number)"],
    [
      [objectOf({ a: numberType, b: stringType }), objectOf({ a: stringType, b: boolType })],
      "object({a=string,b=string})",
    ],
    [[objectOf({}), objectOf({ a: numberType })], "map(number)"],
    [[objectOf({ a: numberType }), mapOf(stringType)], "map(string)"],
    [[tupleOf([numberType]), objectOf({})], undefined],
    [[objectOf({ a: numberType }), objectOf({ a: tupleOf([]) })], undefined],
    [[dynamicType, numberType], "number"],
  ])("case %#", (types, text) => {
    const type = unify(types);
    expect(type && typeText(type)).toBe(text);
  });
});

describe("conversion", () => {
  const primitive = fc.oneof(
    fc.integer().map((number) => numberValue(number)),
    fc.boolean().map(boolValue),
    fc.constantFrom("a", "1", "true", "0.5").map(stringValue),
    fc.constant(nullValue(dynamicType)),
    fc.constant(unknownValue(stringType)),
  );
  const type = fc.constantFrom(
    stringType,
    numberType,
    boolType,
    listOf(stringType),
    listOf(dynamicType),
    setOf(dynamicType),
    setOf(numberType),
    mapOf(dynamicType),
    objectOf({ a: stringType, b: numberType }, ["b"]),
    dynamicType,
  );
  const value = fc.oneof(
    primitive,
    fc.array(primitive, { maxLength: 3 }).map(tupleValue),
    fc.dictionary(fc.constantFrom("a", "b", "c"), primitive).map(objectValue),
  );

  it("changes nothing a second time", () => {
    fc.assert(
      fc.property(value, type, (given, wanted) => {
        const once = convert(given, wanted);
        if ("error" in once) return;
        const twice = convert(once.value, wanted);
        expect("value" in twice && valuesEqual(twice.value, once.value)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

describe("an empty collection through any", () => {
  const { list, set, map } = { list: listOf(stringType), set: setOf(stringType), map: mapOf(stringType) };
  // OpenTofu's console: type(toset(slice(tolist(["a"]), 0, 0))) is set(string).
  it.each([
    [list, setOf(dynamicType), set],
    [set, listOf(dynamicType), list],
    [map, mapOf(dynamicType), map],
    [tupleOf([]), listOf(dynamicType), listOf(dynamicType)],
  ])("keeps the type of its elements", (type, wanted, expected) => {
    const data = type.kind === "map" ? new Map() : [];
    expect(convert({ type, data }, wanted)).toEqual({ value: expect.objectContaining({ type: expected }) });
  });
});
