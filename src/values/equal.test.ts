import { describe, expect, it } from "vitest";
import { BigFloat } from "./big-float.ts";
import { valuesEqual } from "./equal.ts";
import { numberType, stringType } from "./type.ts";
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
  unknownValue,
} from "./value.ts";

const one = numberValue(1);

describe("valuesEqual", () => {
  it.each([
    [numberValue(1), numberValue(BigFloat.parse("1.0")!)],
    [stringValue("é"), stringValue("é")],
    [nullValue(stringType), nullValue(stringType)],
    [unknownValue(stringType), unknownValue(stringType, { notNull: true })],
    [listValue(numberType, [one]), listValue(numberType, [numberValue(1)])],
    [setValue(numberType, [one, numberValue(2)]), setValue(numberType, [numberValue(2), one])],
    [objectValue({ a: one, b: one }), objectValue({ b: one, a: one })],
    [{ ...one, marks: new Set(["sensitive"] as const) }, one],
  ])("holds for case %#", (a, b) => {
    expect(valuesEqual(a, b)).toBe(true);
  });

  it.each([
    [numberValue(1), numberValue(2)],
    [numberValue(1), stringValue("1")],
    [boolValue(true), boolValue(false)],
    [nullValue(stringType), nullValue(numberType)],
    [nullValue(stringType), unknownValue(stringType)],
    [unknownValue(stringType), stringValue("")],
    [listValue(numberType, [one]), tupleValue([one])],
    [listValue(numberType, [one]), listValue(numberType, [])],
    [mapValue(numberType, new Map([["a", one]])), mapValue(numberType, new Map([["b", one]]))],
    [mapValue(numberType, new Map()), mapValue(numberType, new Map([["b", one]]))],
  ])("fails for case %#", (a, b) => {
    expect(valuesEqual(a, b)).toBe(false);
    expect(valuesEqual(b, a)).toBe(false);
  });
});
