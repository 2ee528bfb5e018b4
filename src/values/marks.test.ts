import { describe, expect, it } from "vitest";
import { valuesEqual } from "./equal.ts";
import { containsMark, markPaths, marksDeep, unmark, unmarkDeep, withMark, withMarks } from "./marks.ts";
import { at } from "./path.ts";
import { markedSet } from "./set.ts";
import { numberType } from "./type.ts";
import { isMarked, listValue, mapValue, numberValue, objectValue, stringValue, type Value } from "./value.ts";

const one = numberValue(1);
const secret = withMark(stringValue("x"), "sensitive");
const nested = objectValue({
  a: secret,
  b: listValue(numberType, [one, withMark(one, "ephemeral")]),
  c: mapValue(numberType, new Map([["k", withMark(one, "sensitive")]])),
});

describe("marks", () => {
  it("are added without touching the value", () => {
    expect(one.marks).toBeUndefined();
    expect(isMarked(withMark(one, "sensitive"), "sensitive")).toBe(true);
    expect(withMark(secret, "sensitive")).toBe(secret);
    expect(withMarks(one, [])).toBe(one);
    expect([...withMarks(secret, ["ephemeral"]).marks!]).toEqual(["sensitive", "ephemeral"]);
  });

  it("are found at any depth", () => {
    expect(containsMark(nested, "ephemeral")).toBe(true);
    expect(containsMark(one, "sensitive")).toBe(false);
    expect([...marksDeep(nested)].sort()).toEqual(["ephemeral", "sensitive"]);
  });

  it("come off with their places, and go back", () => {
    const { value, paths } = unmarkDeep(nested);
    expect(marksDeep(value).size).toBe(0);
    expect(paths.map(({ path }) => path)).toEqual([at("a"), at("b", 1), at("c", { key: "k" })]);
    const again = markPaths(value, paths);
    expect(valuesEqual(again, nested)).toBe(true);
    expect(unmarkDeep(again).paths).toEqual(paths);
  });

  it("leave elements alone where only the value is unmarked", () => {
    const marked = withMark(nested, "sensitive");
    expect(unmark(marked).marks).toBeUndefined();
    expect(containsMark(unmark(marked), "sensitive")).toBe(true);
  });

  it("pass over places that are not there", () => {
    const marks = new Set(["sensitive"] as const);
    expect(markPaths(nested, [{ path: at("zzz", 3), marks }])).toBe(nested);
  });

  it("of a set's elements are the set's", () => {
    const set = markedSet(numberType, [withMark(one, "sensitive"), numberValue(2)]);
    expect(set.marks?.has("sensitive")).toBe(true);
    expect((set.data as readonly Value[]).some(({ marks }) => marks !== undefined)).toBe(false);
  });
});
