import { expect, test } from "vitest";
import { sshBlock } from "../../login/index.ts";
import { schemaType } from "../../schema/schema.ts";
import { fromPlain } from "../../values/plain.ts";
import { stringType } from "../../values/type.ts";
import { nullValue, objectValue, stringValue, unknownValue, type Value } from "../../values/value.ts";
import { isEntries } from "../../values/walk.ts";
import { validateBlock } from "./validate.ts";

const login = (settings: Readonly<Record<string, Value>>): Value => {
  const unset = Object.keys(sshBlock.attributes).map((name) => [name, null]);
  const plain = fromPlain(Object.fromEntries(unset), schemaType(sshBlock));
  if (!isEntries(plain.data)) throw new Error("an object");
  return objectValue(new Map([...plain.data, ...Object.entries(settings)]));
};

const problems = (settings: Readonly<Record<string, Value>>) =>
  validateBlock(sshBlock, login(settings), []).map(({ summary }) => summary);

test("of settings that exclude each other one may be set", () => {
  const both = { proxy_command: stringValue("nc %h %p"), proxy_jump: stringValue("bastion") };
  expect(problems(both)).toEqual(["Settings exclude each other"]);
  expect(problems({ ...both, proxy_jump: nullValue(stringType) })).toEqual([]);
});

test("what is not known yet may turn out not to be set", () => {
  const both = { proxy_command: unknownValue(stringType), proxy_jump: unknownValue(stringType) };
  expect(problems(both)).toEqual([]);
  expect(problems({ ...both, proxy_jump: stringValue("bastion") })).toEqual([]);
});
