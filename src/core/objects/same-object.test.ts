import { describe, expect, test } from "vitest";
import { kinds } from "../../resources/index.ts";
import { schemaType } from "../../schema/schema.ts";
import { at } from "../../values/path.ts";
import { fromPlain, type PlainObject } from "../../values/plain.ts";
import type { Holder } from "./holder.ts";
import { conflicts } from "./same-object.ts";

function planned(kind: string, address: string, settings: PlainObject): Holder {
  const { schema } = kinds.get(`conn3x_${kind}`)!;
  const object = fromPlain({ ssh: { address: "10.0.0.1" }, ...settings }, schemaType(schema));
  return {
    type: { name: `conn3x_${kind}`, schema },
    subject: { address },
    planned: object,
    marks: [],
  } as unknown as Holder;
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

/** As their hosts know them. */
const as = (holder: Holder, realNames: NonNullable<Holder["realNames"]>): Holder => ({
  ...holder,
  realNames,
});
const service = (name: string, more: PlainObject) => planned("service", name, { id: name, name, ...more });
const packages = (address: string, more: PlainObject) => planned("package", address, more);
const fileAt = (path: string, content: string) => file(path, content, { id: path, path });

describe("one object under two names", () => {
  const dbus = { messagebus: "dbus.service", "messagebus.service": "dbus.service" };
  test.each<[string, readonly Holder[], string]>([
    [
      "a unit and its alias",
      [service("dbus", { running: true }), as(service("messagebus", { running: false }), dbus)],
      "dbus and messagebus both manage dbus and messagebus, which are one object there, on 10.0.0.1, and want another running",
    ],
    [
      "an alias in two spellings",
      [
        as(service("messagebus.service", { enabled: true }), dbus),
        as(service("messagebus", { enabled: false }), dbus),
      ],
      "both manage messagebus on 10.0.0.1, and want another enabled",
    ],
    [
      "a file below a link to its directory",
      [fileAt("/run/x", "a"), as(fileAt("/var/run/x", "b"), { "/var/run/x": "/run/x" })],
      "both manage /run/x and /var/run/x, which are one object there,",
    ],
    [
      "a line of one file",
      ["/lib/x", "/usr/lib/x"].map((path) =>
        as(planned("line", path, { id: `${path}:^a`, path, regexp: "^a", line: path }), {
          "/lib/x": "/usr/lib/x",
        }),
      ),
      "want another line",
    ],
    [
      "a package with the architecture of its host",
      [
        packages("a", { id: "vim", name: "vim" }),
        as(packages("b", { id: "vim:amd64", name: "vim:amd64", state: "absent" }), { "vim:amd64": "vim" }),
      ],
      "want another state",
    ],
    [
      "a package, and a list that has it",
      [
        packages("a", { id: "git, vim", names: ["git", "vim"] }),
        packages("b", { id: "vim", name: "vim", state: "absent" }),
      ],
      "both manage vim on 10.0.0.1, and want another state",
    ],
    [
      "two lists with one package of another state",
      [
        packages("a", { id: "git, vim", names: ["git", "vim"] }),
        packages("b", { id: "nano, vim", names: ["nano", "vim"], state: "purged" }),
      ],
      "both manage vim on",
    ],
    [
      "a third that only the second is against",
      [
        service("ssh", { enabled: true }),
        service("ssh.service", { running: true }),
        service("ssh", { running: false }),
      ],
      "want another running",
    ],
  ])("%s", (_, instances, text) => {
    expect(conflicts(instances)).toMatchObject([{ summary: "Two instances manage one object" }]);
    expect(conflicts(instances)[0]!.detail).toContain(text);
  });

  test.each<[string, readonly Holder[]]>([
    [
      "settings that are not against each other",
      [service("dbus", { running: true }), as(service("messagebus", { enabled: true }), dbus)],
    ],
    [
      "lists that share a package",
      [
        packages("a", { id: "git, vim", names: ["git", "vim"] }),
        packages("b", { id: "nano, vim", names: ["nano", "vim"] }),
      ],
    ],
    [
      "other words for the same",
      [
        fileAt("/a", "x"),
        file("b", "x", { mode: "0644" }),
        file("c", "x", { mode: "644", owner: "root" }),
        file("d", "x", { owner: "0" }),
      ],
    ],
    [
      "a version that fits",
      ["1.0", "1.*"].map((version) => packages(version, { id: "vim", name: "vim", version })),
    ],
    [
      "what is left to others",
      [
        file("a", "x", { mode: "0600" }),
        file("b", "x", { mode: "0644", drift: { ignore: ["mode"] } }),
        file("c", "x", { mode: "0640", drift: { mode: "warn" } }),
        file("d", "y", { drift: { mode: "disabled" } }),
      ],
    ],
    [
      "what only one of them sets, while the host has another",
      [
        { ...service("ssh", { running: true, enabled: true }), wanted: new Set(["running", "enabled"]) },
        { ...service("ssh", { running: false, enabled: true }), wanted: new Set(["enabled"]) },
      ],
    ],
  ])("%s", (_, instances) => {
    expect(conflicts(instances)).toEqual([]);
  });
});

test("a path that is a secret is not told", () => {
  const hidden = { ...file("b", "y"), marks: [{ path: at("path"), marks: new Set(["sensitive"] as const) }] };
  const [conflict] = conflicts([file("a", "x"), hidden]);
  expect(conflict!.detail).toContain("a and b both manage one object on");
  expect(conflict!.detail).not.toContain("/a");
});
