import { expect, test } from "vitest";
import { scopeOf } from "../../../eval/scope.ts";
import { parsed } from "../../../eval/testing.ts";
import { dynamicType, mapOf, stringType } from "../../../values/type.ts";
import { nullValue, objectValue, unknownValue } from "../../../values/value.ts";
import { expand } from "./expansion.ts";

test("what is wrong with the hosts of a circuit is not said of a for_each that nobody has written", () => {
  const said = (name: string, value = unknownValue(mapOf(stringType))) =>
    expand(
      parsed(`local.${name}`),
      undefined,
      scopeOf({ local: objectValue({ [name]: value }) }),
    ).diagnostics.map(({ summary }) => summary);
  expect(said("conn3x_web_hosts")).toEqual(['The keys of "hosts" are not known yet']);
  expect(said("conn3x_web_hosts", nullValue(dynamicType))).toEqual(['"hosts" is null']);
  expect(said("mine")).toEqual(['The keys of "for_each" are not known yet']);
});
