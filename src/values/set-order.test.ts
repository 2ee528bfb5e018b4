import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareText, distinctValues, membership, sortedEntries, sortedSet } from "./set-order.ts";
import { listOf, numberType, objectOf, stringType } from "./type.ts";
import {
  boolValue,
  listValue,
  nullValue,
  numberValue,
  objectValue,
  stringValue,
  unknownValue,
  type Value,
} from "./value.ts";

const texts = (values: readonly Value[]): unknown[] => values.map(({ data }) => data);
const strings = (...items: string[]): Value[] => items.map(stringValue);

// Every order here is what `tofu console` prints for `toset(…)`.
describe("sortedSet", () => {
  it("orders strings by code point", () => {
    expect(texts(sortedSet(strings("é", "z", "a", "Z", "😀", "￼", "a")))).toEqual([
      "Z",
      "a",
      "z",
      "é",
      "￼",
      "😀",
    ]);
  });

  it("orders numbers by value and drops equal ones", () => {
    const sorted = sortedSet([10, 9, 1.5, -2, 9].map((n) => numberValue(n)));
    expect(sorted.map(({ data }) => String(data))).toEqual(["-2", "1.5", "9", "10"]);
  });

  it("orders booleans", () => {
    expect(texts(sortedSet([true, false, true].map(boolValue)))).toEqual([false, true]);
  });

  it("puts null last", () => {
    expect(texts(sortedSet([nullValue(stringType), ...strings("a")]))).toEqual(["a", null]);
  });

  it("orders objects by the text of their attributes", () => {
    const numbers = [1, 10, 2].map((a) => objectValue({ a: numberValue(a) }));
    expect(sortedSet(numbers)).toEqual([numbers[1], numbers[0], numbers[2]]);
    const [large, larger, small] = [12345678901, 2e10, 0.00001].map((a) =>
      objectValue({ a: numberValue(a) }),
    );
    expect(sortedSet([large!, larger!, small!])).toEqual([large, small, larger]);
  });

  it("orders lists", () => {
    const list = (...items: string[]): Value => listValue(stringType, strings(...items));
    expect(sortedSet([list("b"), list("a", "c"), list("a"), list("b")])).toEqual([
      list("a", "c"),
      list("a"),
      list("b"),
    ]);
  });

  it("keeps every unknown", () => {
    expect(sortedSet([unknownValue(numberType), unknownValue(numberType), numberValue(1)])).toHaveLength(3);
    const nested = objectOf({ a: listOf(numberType) });
    expect(sortedSet([unknownValue(nested), unknownValue(nested)])).toHaveLength(2);
  });
});

describe("sets", () => {
  const element = fc
    .record({ a: fc.integer({ min: 0, max: 12 }), b: fc.constantFrom("", "é", "x", null) })
    .map(({ a, b }) =>
      objectValue({ a: numberValue(a), b: b === null ? nullValue(stringType) : stringValue(b) }),
    );

  it("do not depend on the order in which they are made", () => {
    fc.assert(
      fc.property(fc.array(element), fc.infiniteStream(fc.nat()), (elements, numbers) => {
        const shuffled = elements
          .map((value) => ({ value, at: numbers.next().value as number }))
          .sort((a, b) => a.at - b.at)
          .map(({ value }) => value);
        const sorted = sortedSet(elements);
        expect(sortedSet(shuffled)).toEqual(sorted);
        expect(sortedSet(sorted)).toEqual(sorted);
        expect(elements.every(membership(sorted))).toBe(true);
      }),
    );
  });

  it("keep the first of equal elements where order matters", () => {
    const [b, a] = strings("b", "a");
    expect(distinctValues([b!, a!, stringValue("b")])).toEqual([b, a]);
  });
});

describe("sortedEntries", () => {
  it("orders keys by code point", () => {
    const data = new Map(["b", "a", "￼", "😀"].map((key) => [key, boolValue(true)]));
    expect(sortedEntries(data).map(([key]) => key)).toEqual(["a", "b", "￼", "😀"]);
    expect(compareText("a", "ab")).toBeLessThan(0);
  });
});
