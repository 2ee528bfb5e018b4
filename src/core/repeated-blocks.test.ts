/**
 * Blocks that may be repeated: what is stored of them, and what is wrong with them.
 */

import { expect, test } from "vitest";
import { sshBlock } from "../login/index.ts";
import { hostResource } from "../resources/settings.ts";
import { schemaType } from "../schema/schema.ts";
import { fromPlain, type PlainObject, toPlain } from "../values/plain.ts";
import { upgradeState } from "./stored/upgrade-state.ts";
import { validateBlock } from "./validate/validate.ts";

const schema = hostResource("", {});
const stored = (ssh: unknown) => upgradeState("conn3x_x", schema, 0, JSON.stringify({ id: "x", ssh }));
const sshOf = (ssh: unknown) => (toPlain(stored(ssh).value!) as PlainObject).ssh;

test("what an earlier version stored has an empty list", () => {
  expect(sshOf({ address: "a" })).toMatchObject({ address: "a", bastion: [] });
  expect(sshOf(null)).toBeNull();
});

test("settings that elements have gained are null, ones that they have lost are dropped", () => {
  const read = sshOf({ address: "a", bastion: [{ address: "b", lost: 1 }] }) as PlainObject;
  expect(read.bastion).toMatchObject([{ address: "b", port: null }]);
  expect(Object.keys((read.bastion as PlainObject[])[0]!)).not.toContain("lost");
});

const problems = (ssh: PlainObject) =>
  validateBlock(sshBlock, fromPlain(ssh, schemaType(sshBlock)), []).map(({ detail }) => detail);

test("each element is checked where it stands", () => {
  const good = { address: "a", bastion: [{ address: "b" }] };
  expect(problems(good)).toEqual([]);
  expect(problems({ ...good, bastion: [{ address: "b" }, { address: "c", port: 0 }] })).toEqual([
    "bastion[1].port must be a whole number from 1 to 65535, not 0.",
  ]);
});

test("a bastion, a jump host and a command exclude each other", () => {
  const bastion = [{ address: "b" }];
  expect(problems({ proxy_jump: "x", bastion })).toEqual(["Only one of proxy_jump and bastion may be set."]);
  expect(problems({ proxy_command: "x", bastion })).toHaveLength(1);
  expect(problems({ proxy_command: "x", proxy_jump: "y" })).toHaveLength(1);
  expect(problems({ proxy_jump: "x", bastion: [] })).toEqual([]);
});
