import { expect, test } from "vitest";
import { withMark } from "../../values/marks.ts";
import { numberType, stringType } from "../../values/type.ts";
import {
  listValue,
  nullValue,
  numberValue,
  objectValue,
  stringValue,
  unknownValue,
} from "../../values/value.ts";
import { exactJson } from "./exact-json.ts";
import { shownJson } from "./value-json.ts";
import { sensitiveMask, unknownMask } from "./value-mask.ts";

const value = objectValue({
  plain: stringValue("<a>"),
  secret: withMark(stringValue("s"), "sensitive"),
  later: unknownValue(stringType),
  none: nullValue(stringType),
  list: listValue(numberType, [numberValue(1), unknownValue(numberType)]),
});

// As OpenTofu 1.12.6 showed a plan of a `terraform_data` with such an input.
test("masks have true at a place, and nothing where an object has none", () => {
  expect(sensitiveMask(value)).toEqual({ secret: true, list: [false, false] });
  expect(unknownMask(value)).toEqual({ later: true, list: [false, true] });
  expect(unknownMask(stringValue("known"))).toEqual({});
  expect(sensitiveMask(nullValue(stringType))).toBe(false);
});

test("exact JSON has everything that is known, shown JSON nothing that is sensitive", () => {
  expect(exactJson(value)).toBe('{"list":[1,null],"none":null,"plain":"\\u003ca\\u003e","secret":"s"}');
  expect(exactJson(numberValue(2n ** 70n))).toBe("1180591620717411303424");
  expect(shownJson(value)).toEqual({
    plain: "<a>",
    secret: "(sensitive value)",
    later: null,
    none: null,
    list: [1, null],
  });
  expect(shownJson(numberValue(2n ** 70n))).toBe("1180591620717411303424");
});
