import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BigFloat } from "./big-float.ts";
import { valuesEqual } from "./equal.ts";
import { fromPlain, type Plain, toPlain } from "./plain.ts";
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
import { nullValue, numberValue, objectValue, stringValue, Unknown, unknownValue } from "./value.ts";

const parse = (text: string) => numberValue(BigFloat.parse(text)!);

describe("toPlain", () => {
  it.each([
    ["0.1", 0.1],
    ["-12", -12],
    ["9007199254740991", 9007199254740991],
    ["9007199254740993", 9007199254740993n],
    ["1e30", 10n ** 30n],
    ["1.5e-7", 1.5e-7],
  ])("makes %s a number that stands for it", (text, plain) => {
    expect(toPlain(parse(text))).toBe(plain);
  });

  it("rounds fractions, and fails for no number: each setting says which it takes", () => {
    const third = numberValue(BigFloat.of(1).div(BigFloat.of(3)));
    expect(toPlain(third)).toBe(1 / 3);
    expect(toPlain(parse("0.12345678901234567890"))).toBe(0.12345678901234568);
    expect(toPlain(numberValue(BigFloat.infinity))).toBe(Number.POSITIVE_INFINITY);
    expect(toPlain(numberValue(BigFloat.negativeInfinity))).toBe(Number.NEGATIVE_INFINITY);
  });

  it("leaves unknowns and nulls", () => {
    const plain = toPlain(objectValue({ a: unknownValue(stringType), b: nullValue(stringType) }));
    expect(plain).toEqual({ a: expect.any(Unknown), b: null });
  });
});

describe("fromPlain", () => {
  it("fills what is missing with null", () => {
    const value = fromPlain({ a: "x" }, objectOf({ a: stringType, b: numberType }));
    expect(valuesEqual(value, objectValue({ a: stringValue("x"), b: nullValue(numberType) }))).toBe(true);
  });

  it.each<[Plain, Type]>([
    ["1", numberType],
    [1, stringType],
    [{ a: 1, z: 1 }, objectOf({ a: numberType })],
    [[1], tupleOf([])],
    ["x", listOf(stringType)],
    [[], mapOf(stringType)],
    [true, objectOf({})],
  ])("refuses %j as case %#", (plain, type) => {
    expect(() => fromPlain(plain, type)).toThrow(TypeError);
  });

  it("takes data for itself where the type is dynamic", () => {
    const value = fromPlain({ a: [1, "x", null] }, dynamicType);
    expect(value.type).toEqual(objectOf({ a: tupleOf([numberType, stringType, dynamicType]) }));
  });

  it("gives back what it took", () => {
    const type = objectOf({
      list: listOf(numberType),
      set: setOf(boolType),
      map: mapOf(stringType),
      free: dynamicType,
    });
    const plain = fc.record({
      list: fc.array(
        fc.oneof(
          fc.integer(),
          fc.double({ noNaN: true, min: -1e15, max: 1e15 }).map((n) => n + 0),
        ),
      ),
      set: fc.constantFrom([], [true], [false, true]),
      map: fc.dictionary(
        fc.constantFrom("a", "b", "c"),
        fc.string().map((text) => text.normalize("NFC")),
      ),
      free: fc.oneof(fc.integer(), fc.boolean(), fc.array(fc.integer())),
    });
    fc.assert(
      fc.property(plain, (data) => {
        expect(toPlain(fromPlain(data, type))).toEqual(data);
      }),
    );
  });
});
