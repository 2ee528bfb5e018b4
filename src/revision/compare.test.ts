import { describe, expect, test } from "vitest";
import { at } from "../values/path.ts";
import { numberType, stringType } from "../values/type.ts";
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
} from "../values/value.ts";
import { differences } from "./compare.ts";

const a = stringValue("a");
const b = stringValue("b");

describe("differences", () => {
  test("equal values have none", () => {
    const value = objectValue({ list: listValue(stringType, [a, b]), none: nullValue(numberType) });
    expect(
      differences(value, objectValue({ list: listValue(stringType, [a, b]), none: nullValue(numberType) })),
    ).toEqual([]);
  });

  test("an attribute, by its path", () => {
    const before = objectValue({ same: a, ssh: objectValue({ port: numberValue(22) }) });
    const after = objectValue({ same: a, ssh: objectValue({ port: numberValue(2222) }) });
    expect(differences(before, after)).toEqual([
      { path: at("ssh", "port"), before: numberValue(22), after: numberValue(2222) },
    ]);
  });

  test("X3: lists by position: an added element is one change with the whole element", () => {
    const element = objectValue({ name: a });
    const before = listValue(element.type, [element]);
    const after = listValue(element.type, [objectValue({ name: b }), element]);
    expect(differences(before, after)).toEqual([
      { path: at(0, "name"), before: a, after: b },
      { path: at(1), before: undefined, after: element },
    ]);
  });

  test("X3: maps by key: a removed element is one change", () => {
    const before = mapValue(
      stringType,
      new Map([
        ["x", a],
        ["y", b],
      ]),
    );
    const after = mapValue(stringType, new Map([["y", b]]));
    expect(differences(before, after)).toEqual([{ path: at({ key: "x" }), before: a, after: undefined }]);
  });

  test("sets, nulls and other types as a whole", () => {
    const set = setValue(stringType, [a]);
    const wider = setValue(stringType, [a, b]);
    expect(differences(set, wider, at("names"))).toEqual([{ path: at("names"), before: set, after: wider }]);
    expect(differences(nullValue(stringType), a)).toEqual([
      { path: [], before: nullValue(stringType), after: a },
    ]);
    expect(differences(numberValue(1), stringValue("1"))).toHaveLength(1);
  });

  test("an unknown differs from what is known", () => {
    const before = tupleValue([a]);
    const after = tupleValue([unknownValue(stringType)]);
    expect(differences(before, after)).toEqual([{ path: at(0), before: a, after: unknownValue(stringType) }]);
  });
});
