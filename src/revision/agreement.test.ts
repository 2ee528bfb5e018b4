import { expect, test } from "vitest";
import { at, formatPath } from "../values/path.ts";
import { listOf, numberType, stringType } from "../values/type.ts";
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
} from "../values/value.ts";
import { contradiction } from "./agreement.ts";

const text = stringValue;
const open = unknownValue(stringType);
const texts = (...values: Value[]) => listValue(stringType, values);
const entry = (key: string, value: Value) => mapValue(stringType, new Map([[key, value]]));

for (const [what, planned, final, where] of [
  ["an unknown may become anything", open, text("x"), undefined],
  ["an unknown may become null", open, nullValue(stringType), undefined],
  ["a known value stays", text("x"), text("x"), undefined],
  ["a known value that changes", text("x"), text("y"), ""],
  ["a known value that becomes null", numberValue(1), nullValue(numberType), ""],
  [
    "inside an object",
    objectValue({ a: open, b: text("x") }),
    objectValue({ a: text("1"), b: text("y") }),
    "b",
  ],
  ["a known object", objectValue({ b: text("x") }), objectValue({ b: text("y") }), "b"],
  ["a known set", setValue(stringType, [text("a")]), setValue(stringType, [text("b")]), ""],
  ["a known list", texts(text("a"), text("b")), texts(text("a"), text("c")), "[1]"],
  ["a list with an unknown", texts(open, text("x")), texts(text("1"), text("y")), "[1]"],
  ["a list that grew", texts(open), texts(text("1"), text("2")), ""],
  ["a list that became null", texts(open), nullValue(listOf(stringType)), ""],
  ["a tuple with an unknown", tupleValue([open, text("x")]), tupleValue([text("1"), text("x")]), undefined],
  ["a map that lost a key", entry("k", open), entry("l", text("1")), '["k"]'],
  ["a set with an unknown", setValue(stringType, [open]), setValue(stringType, [text("1")]), undefined],
] as const) {
  test(what, () => {
    const place = contradiction(planned, final);
    expect(place === undefined ? undefined : formatPath(place)).toBe(where);
  });
}

test("the place is the innermost one", () => {
  const of = (inner: Value) => objectValue({ a: objectValue({ b: tupleValue([open, inner]) }) });
  expect(contradiction(of(text("x")), of(text("y")))).toEqual(at("a", "b", 1));
});
