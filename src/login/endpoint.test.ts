import { expect, test } from "vitest";
import { numberType, stringType } from "../values/type.ts";
import {
  nullValue,
  numberValue,
  objectValue,
  stringValue,
  unknownValue,
  type Value,
} from "../values/value.ts";
import { isElsewhere } from "./endpoint.ts";

const ssh = (address: string | Value, port: number | Value = nullValue(numberType)): Value =>
  objectValue({
    address: typeof address === "string" ? stringValue(address) : address,
    port: typeof port === "number" ? numberValue(port) : port,
  });
const unknown = unknownValue(stringType);
const noAddress = nullValue(stringType);

test.each<[string, Value | undefined, Value | undefined, string | undefined, boolean]>([
  ["the same address", ssh("a"), ssh("a"), undefined, false],
  ["another address", ssh("a"), ssh("b"), undefined, true],
  ["another port", ssh("a"), ssh("a", 2222), undefined, true],
  ["the usual port, spelled out", ssh("a"), ssh("a", 22), undefined, false],
  ["another address, where it was read", ssh("a"), ssh("b", 2222), "b:2222", false],
  ["a third address, after it was read at another", ssh("a"), ssh("c"), "b:22", true],
  ["an address that is not known yet", ssh("a"), ssh(unknown), undefined, true],
  ["a port that is not known yet", ssh("a"), ssh("a", unknownValue(numberType)), undefined, true],
  ["a block that is not known yet", ssh("a"), unknownValue(ssh("a").type), undefined, true],
  ["the provider's address", ssh("a"), ssh(noAddress), undefined, false],
  ["from the provider's address", ssh(noAddress), ssh("a"), undefined, false],
  ["no block at all", undefined, undefined, undefined, false],
])("%s", (_, stored, wanted, readAt, expected) => {
  expect(isElsewhere(stored, wanted, readAt)).toBe(expected);
});
