/** The three trees of a JSON plan, by hand. */
import { expect, test } from "vitest";
import { parseJson } from "../../values/json/json-text.ts";
import { withMark } from "../../values/marks.ts";
import {
  dynamicType,
  listOf,
  mapOf,
  numberType,
  objectOf,
  setOf,
  stringType,
  type Type,
} from "../../values/type.ts";
import {
  isNull,
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
} from "../../values/value.ts";
import { planValue, unknownSchema } from "./plan-values.ts";

const value = (known: string, type: Type, unknown = "false", sensitive = "false"): Value =>
  planValue({ known: parseJson(known), unknown: parseJson(unknown), sensitive: parseJson(sensitive) }, type);

const file = objectOf({ path: stringType, size: numberType, tags: listOf(stringType) });

test("attributes that are left out are null, those that are unknown are so", () => {
  expect(value('{"path":"/a"}', file, '{"size":true}')).toEqual(
    objectValue({
      path: stringValue("/a"),
      size: unknownValue(numberType),
      tags: nullValue(listOf(stringType)),
    }),
  );
});

test("a null object is null though its unknown parts are an object", () => {
  expect(isNull(value("null", file, "{}"))).toBe(true);
});

test("an unknown element stands in its place", () => {
  expect(value('["a",null]', listOf(stringType), "[false,true]")).toEqual(
    listValue(stringType, [stringValue("a"), unknownValue(stringType)]),
  );
});

test("numbers keep all their digits", () => {
  expect(value("9007199254740993", numberType)).toEqual(numberValue(9007199254740993n));
});

test("what is sensitive is marked, at any depth", () => {
  const shown = value('{"a":"1","b":"2"}', mapOf(stringType), "false", '{"b":true}');
  expect(shown).toEqual(
    mapValue(
      stringType,
      new Map([
        ["a", stringValue("1")],
        ["b", withMark(stringValue("2"), "sensitive")],
      ]),
    ),
  );
  expect(value('"x"', stringType, "false", "true").marks).toEqual(new Set(["sensitive"]));
  expect(value("null", stringType, "true", "true")).toEqual(withMark(unknownValue(stringType), "sensitive"));
});

test("a set has no order", () => {
  expect(value('["b","a"]', setOf(stringType))).toEqual(
    setValue(stringType, [stringValue("a"), stringValue("b")]),
  );
});

test("what is dynamic has the shape of the JSON", () => {
  expect(value('["a",{"b":null}]', dynamicType)).toEqual(
    tupleValue([stringValue("a"), objectValue({ b: nullValue(dynamicType) })]),
  );
});

test("where there is no schema, objects are maps", () => {
  const shown = value('{"tags":{"a":"1"}}', unknownSchema);
  expect(shown.type.kind).toBe("map");
  expect((shown.data as ReadonlyMap<string, Value>).get("tags")?.type.kind).toBe("map");
});
