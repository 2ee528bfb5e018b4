import { expect, test } from "vitest";
import { kinds } from "../../../resources/index.ts";
import { schemaType } from "../../../schema/schema.ts";
import { fromPlain, type PlainObject } from "../../../values/plain.ts";
import type { PlannedInstance } from "../planned-instance.ts";
import { sharedObjects } from "./shared-objects.ts";

function planned(kind: string, address: string, settings: PlainObject): PlannedInstance {
  const { schema } = kinds.get(`conn3x_${kind}`)!;
  const object = fromPlain({ ssh: { address: "10.0.0.1" }, ...settings }, schemaType(schema));
  return {
    type: { name: `conn3x_${kind}`, schema },
    subject: { address },
    planned: object,
    marks: [],
    existing: { object },
  } as unknown as PlannedInstance;
}

const line = (address: string, text: string) =>
  planned("line", address, { id: `/etc/hosts:${text}`, path: "/etc/hosts", line: text });
const file = (address: string, content: string, more: PlainObject = {}) =>
  planned("file", address, { id: "/a", path: "/a", content, ...more });

test("a line that ends is its own, whatever other lines of its file stay", () => {
  expect(sharedObjects([line("old", "10.0.0.2 db")], [line("other", "10.0.0.3 cache")])).toEqual(new Map());
  expect(sharedObjects([line("old", "10.0.0.2 db")], [line("new", "10.0.0.2 db")])).toEqual(
    new Map([["old", "new"]]),
  );
});

test("what ends behind one bastion is not what stays behind another, unless the host has one name", () => {
  const behind = (address: string, gate: string, host: string): PlannedInstance => {
    const one = file(address, "x", { ssh: { address: "10.0.0.1", bastion: [{ address: gate }] } });
    return { ...one, subject: { ...one.subject, host } };
  };
  const ending = [behind("old", "gate1", "web1")];
  expect(sharedObjects(ending, [behind("new", "gate2", "web2")]).size).toBe(0);
  expect(sharedObjects(ending, [behind("new", "gate1", "web2")]).size).toBe(1);
  expect(sharedObjects(ending, [behind("new", "gate2", "web1")]).size).toBe(1);
});
