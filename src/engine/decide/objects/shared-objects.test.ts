import { describe, expect, test } from "vitest";
import { kinds } from "../../../resources/index.ts";
import { schemaType } from "../../../schema/schema.ts";
import { at } from "../../../values/path.ts";
import { fromPlain, type PlainObject } from "../../../values/plain.ts";
import type { PlannedInstance } from "../planned-instance.ts";
import { conflicts, sharedObjects } from "./shared-objects.ts";

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

describe("conflicts", () => {
  test.each([
    ["one file with two contents", [file("a", "x"), file("b", "y")], 1],
    ["one file twice, wanted alike", [file("a", "x"), file("b", "x")], 0],
    [
      "one file in two spellings of its path",
      ["/a/b", "/a//b", "/a/b/"].map((path, i) => file(`f${i}`, String(i), { id: path, path })),
      1,
    ],
    [
      "one unit in two spellings",
      ["ssh", "ssh.service"].map((name, i) => planned("service", name, { id: name, name, running: i === 0 })),
      1,
    ],
    [
      "a service and its socket",
      ["ssh", "ssh.socket"].map((name, i) => planned("service", name, { id: name, name, running: i === 0 })),
      0,
    ],
    [
      "one path at two ports",
      [file("a", "x"), file("b", "y", { ssh: { address: "10.0.0.1", port: 2222 } })],
      0,
    ],
    [
      "one path, the usual port once said",
      [file("a", "x"), file("b", "y", { ssh: { address: "10.0.0.1", port: 22 } })],
      1,
    ],
    [
      "one path at one address of two private networks",
      ["gate1", "gate2"].map((gate) =>
        file(gate, gate, { ssh: { address: "10.0.0.1", bastion: [{ address: gate }] } }),
      ),
      0,
    ],
    [
      "one path through one bastion, logged in to by two",
      ["ann", "bob"].map((user) =>
        file(user, user, { ssh: { address: "10.0.0.1", bastion: [{ address: "gate", user }] } }),
      ),
      1,
    ],
    ["two lines of one file", [line("a", "10.0.0.2 db"), line("b", "10.0.0.3 cache")], 0],
    [
      "two lines in the place of one",
      ["Port 22", "Port 2222"].map((text) =>
        planned("line", text, { id: "/etc/ssh/sshd_config:^Port", path: "/etc/ssh/sshd_config", line: text }),
      ),
      1,
    ],
    ["a skipped one", [file("a", "x"), file("b", "y", { skipped: true })], 0],
    [
      "two commands",
      [
        planned("command", "a", { id: "command", run: "x" }),
        planned("command", "b", { id: "command", run: "y" }),
      ],
      0,
    ],
  ] as const)("%s", (_, instances, count) => {
    expect(conflicts(instances)).toHaveLength(count);
  });
});

test("a path that is a secret is not told", () => {
  const hidden = { ...file("b", "y"), marks: [{ path: at("path"), marks: new Set(["sensitive"] as const) }] };
  const [conflict] = conflicts([file("a", "x"), hidden]);
  expect(conflict!.detail).toContain("a and b both manage one object on");
  expect(conflict!.detail).not.toContain("/a");
});

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
