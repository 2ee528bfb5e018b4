import { describe, expect, it } from "vitest";
import { valuesEqual } from "./equal.ts";
import { at, formatPath, type Path } from "./path.ts";
import { dynamicType, listOf, numberType, objectOf, stringType, typeEquals } from "./type.ts";
import {
  listValue,
  mapValue,
  nullValue,
  numberValue,
  objectValue,
  setValue,
  stringValue,
  tupleValue,
  unknownValue,
  type Value,
} from "./value.ts";
import { getPath, isWhollyKnown, rebuild, setPath } from "./walk.ts";

const one = numberValue(1);
const two = numberValue(2);
const value = objectValue({
  list: listValue(numberType, [one, two]),
  map: mapValue(numberType, new Map([["k", one]])),
  nothing: nullValue(stringType),
});

describe("isWhollyKnown", () => {
  it("looks at every depth", () => {
    expect(isWhollyKnown(value)).toBe(true);
    expect(isWhollyKnown(tupleValue([tupleValue([unknownValue(stringType)])]))).toBe(false);
  });
});

describe("getPath", () => {
  it("finds elements, attributes and map elements", () => {
    expect(getPath(value, at("list", 1))).toBe(two);
    expect(getPath(value, at("map", { key: "k" }))).toBe(one);
    expect(getPath(value, at("map", "k"))).toBe(one);
    expect(getPath(value, [])).toBe(value);
  });

  it("finds nothing where there is nothing", () => {
    for (const path of [at("list", 2), at("nope"), at("nothing", "x"), at("list", { key: "0" })]) {
      expect(getPath(value, path)).toBeUndefined();
    }
    expect(getPath(objectValue({}), at("constructor"))).toBeUndefined();
  });

  it("finds unknowns inside of an unknown", () => {
    const unknown = unknownValue(objectOf({ a: listOf(numberType) }));
    expect(getPath(unknown, at("a", 5))).toEqual(unknownValue(numberType));
    expect(getPath(unknown, at("b"))).toBeUndefined();
    expect(getPath(unknownValue(dynamicType), at("a", 1))).toEqual(unknownValue(dynamicType));
  });
});

describe("setPath", () => {
  it("makes a changed copy", () => {
    const changed = setPath(value, at("list", 0), two);
    expect(getPath(changed, at("list", 0))).toBe(two);
    expect(getPath(value, at("list", 0))).toBe(one);
  });

  it("keeps an object's type right", () => {
    const changed = setPath(value, at("nothing"), one);
    expect(
      typeEquals(
        changed.type,
        objectOf({ ...(value.type as { attributes: object }).attributes, nothing: numberType }),
      ),
    ).toBe(true);
  });

  it("gives back the value itself where there is no such place", () => {
    expect(setPath(value, at("nope", 1), one)).toBe(value);
    expect(setPath(value, at("nothing", "x"), one)).toBe(value);
  });
});

/** A copy in which every value, innermost first, is replaced. */
function transform(inside: Value, change: (value: Value, path: Path) => Value, path: Path = []): Value {
  const rebuilt = rebuild(inside, (child, step) => transform(child, change, [...path, step]));
  return change(rebuilt, path);
}

describe("rebuild, at every depth", () => {
  it("goes from the inside out and tells the path", () => {
    const seen: string[] = [];
    transform(value, (inner, path) => {
      seen.push(formatPath(path));
      return inner;
    });
    expect(seen).toEqual(["list[0]", "list[1]", "list", 'map["k"]', "map", "nothing", ""]);
  });

  it("gives back the same value when nothing changes", () => {
    expect(transform(value, (inner) => inner)).toBe(value);
  });

  it("keeps sets in order and without duplicates", () => {
    const set = setValue(stringType, [stringValue("b"), stringValue("a"), stringValue("c")]);
    const changed = transform(set, (inner) => (inner.data === "a" ? stringValue("c") : inner));
    expect((changed.data as readonly Value[]).map(({ data }) => data)).toEqual(["b", "c"]);
  });

  it("keeps marks", () => {
    const marked = { ...value, marks: new Set(["sensitive"] as const) };
    const changed = transform(marked, (inner) => (inner === one ? two : inner));
    expect(changed.marks).toEqual(marked.marks);
    expect(valuesEqual(changed, value)).toBe(false);
  });
});
