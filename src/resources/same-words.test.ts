/** Other words for the same state of a host: they renew no revision, and so run no handler; every kind that has such settings. */
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { decide } from "../revision/decide.ts";
import { absentBlock } from "../schema/schema.ts";
import { at } from "../values/path.ts";
import { fromPlain, type Plain } from "../values/plain.ts";
import { isUnknown, nullValue, objectValue, stringValue, type Value } from "../values/value.ts";
import { getPath } from "../values/walk.ts";
import { kinds } from "./index.ts";

type Settings = Readonly<Record<string, Plain>>;

const hash = (text: string): string => createHash("sha256").update(text).digest("hex");

function objectOf(type: string, settings: Settings): Value {
  const { schema } = kinds.get(type)!;
  const fields = new Map<string, Value>(
    Object.entries(schema.attributes).map(([name, attribute]) => [
      name,
      name in settings ? fromPlain(settings[name]!, attribute.type) : nullValue(attribute.type),
    ]),
  );
  for (const [name, block] of Object.entries(schema.blocks)) fields.set(name, absentBlock(block));
  return objectValue(fields);
}

interface Case {
  readonly kind: string;
  readonly before: Settings;
  readonly after: Settings;
  /** What is on the host, where that is not what was last applied. */
  readonly seen?: Settings;
  /** By its exact names. */
  readonly exact?: Readonly<Record<string, string>>;
}

/** Whether the revision is kept. */
function keeps({ kind: name, before, after, seen = {}, exact = {} }: Case): boolean {
  const kind = kinds.get(`conn3x_${name}`)!;
  const type = kind.type;
  const id = kind.id.of({
    ...Object.fromEntries(Object.keys(kind.schema.attributes).map((one) => [one, null])),
    ...before,
  });
  const stored = { id, revision: "0123456789abcdef", ...before };
  const local = new Map([
    ["a", { state: "file" as const, sha256: hash("x"), size: 1 }],
    ["b", { state: "file" as const, sha256: hash("x"), size: 1 }],
    ["c", { state: "file" as const, sha256: hash("y"), size: 1 }],
  ]);
  const { planned, diagnostics } = decide(
    {
      ...kind,
      plan: (diff) => {
        diff.setNew("id", id);
        kind.plan?.(diff, local);
      },
    },
    {
      config: objectOf(type, after),
      prior: objectOf(type, { ...stored, ...seen }),
      lastApplied: objectOf(type, stored),
      exact: new Map(Object.entries(exact)),
    },
  );
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  const revision = getPath(planned, at("revision"))!;
  expect(isUnknown(revision) || revision.data === stringValue("0123456789abcdef").data).toBe(true);
  return !isUnknown(revision);
}

const path = "/etc/x";
const file = { path, content: "x", sha256: hash("x"), mode: "0644", owner: "root", group: "adm" };
const body = (settings: Settings): Settings => ({
  path,
  mode: "0644",
  owner: "root",
  group: "adm",
  ...settings,
});
const base64 = (text: string): string => Buffer.from(text).toString("base64");
const web = { port: 80 };

describe("the same in other words", () => {
  test.each<[string, Case]>([
    ["mode", { kind: "file", before: file, after: { ...body({ content: "x" }), mode: "644" } }],
    ["owner by number", { kind: "file", before: file, after: { ...body({ content: "x" }), owner: "0" } }],
    [
      "group by number",
      { kind: "file", before: file, after: { ...body({ content: "x" }), group: "4" }, exact: { group: "4" } },
    ],
    [
      "group by name",
      {
        kind: "directory",
        before: { path, group: "4" },
        after: { path, group: "adm" },
        exact: { group: "adm" },
      },
    ],
    ["content as base64", { kind: "file", before: file, after: body({ content_base64: base64("x") }) }],
    ["content from a file", { kind: "file", before: file, after: body({ source: "a" }) }],
    [
      "a file with the same bytes",
      { kind: "file", before: { ...body({ source: "a" }), sha256: hash("x") }, after: body({ source: "b" }) },
    ],
    [
      "a path with two slashes",
      { kind: "file", before: file, after: { ...body({ content: "x" }), path: "/etc//x" } },
    ],
    ["a path with a slash at its end", { kind: "directory", before: { path }, after: { path: "/etc/x/" } }],
    [
      "links that are not followed",
      { kind: "file", before: file, after: { ...body({ content: "x" }), follow: false } },
    ],
    ["no recursion", { kind: "directory", before: { path }, after: { path, recurse: false, purge: false } }],
    ["no recursion, left out", { kind: "directory", before: { path, recurse: false }, after: { path } }],
    [
      "a line that is present",
      {
        kind: "line",
        before: { path, line: "x" },
        after: { path, line: "x", state: "present", backrefs: false },
      },
    ],
    [
      "a symbolic link",
      { kind: "link", before: { path, target: "/x" }, after: { path, target: "/x", kind: "symbolic" } },
    ],
    [
      "a version by its beginning",
      {
        kind: "package",
        before: { name: "p", version: "1.0", automatic: false, hold: false },
        after: { name: "p", version: "1.*" },
        exact: { version: "1.0" },
      },
    ],
    [
      "a version in full",
      {
        kind: "package",
        before: { name: "p", version: "1.*", automatic: false, hold: false },
        after: { name: "p", version: "1.0" },
        exact: { version: "1.0" },
      },
    ],
    [
      "names in another order, one twice",
      {
        kind: "package",
        before: { names: ["a", "b"], automatic: false, hold: false },
        after: { names: ["b", "a", "b"] },
      },
    ],
    [
      "a package that is present",
      {
        kind: "package",
        before: { name: "p", automatic: false, hold: false },
        after: { name: "p", state: "present" },
      },
    ],
    [
      "a unit's whole name",
      {
        kind: "service",
        before: { name: "web", running: true },
        after: { name: "web.service", running: true },
      },
    ],
    [
      "what is waited for",
      { kind: "wait_for", before: web, after: { ...web, state: "present", timeout: 5 } },
    ],
    [
      "statuses in another order",
      {
        kind: "wait_for",
        before: { http: "http://a/", http_status: [200, 204] },
        after: { http: "http://a/", http_status: [204, 200] },
      },
    ],
    [
      "what is kept in another order",
      {
        kind: "directory",
        before: { path, purge: true, keep: ["a", "b"], extra: [] },
        after: { path, purge: true, keep: ["b", "a", "b"] },
      },
    ],
    ...[
      ["http://a", "http://a/"],
      ["http://a/", "http://a:80/"],
      ["https://a:443/x", "https://a/x"],
      ["http://Web.Example/x", "http://web.example/x"],
      ["HTTP://a/x", "http://a/x"],
      ["http://a/x/../y", "http://a/y"],
    ].map(([before, after]): [string, Case] => [
      `the URL ${before} as ${after}`,
      { kind: "wait_for", before: { http: before! }, after: { http: after! } },
    ]),
    [
      "the interpreter that it is anyway",
      { kind: "command", before: { script: "x" }, after: { script: "x", interpreter: ["/bin/sh"] } },
    ],
    [
      "where it runs",
      { kind: "command", before: { run: "x", cwd: "/srv" }, after: { run: "x", cwd: "//srv/" } },
    ],
  ])("%s", (_, one) => {
    expect(keeps(one)).toBe(true);
  });
});

describe("something else", () => {
  test.each<[string, Case]>([
    ["mode", { kind: "file", before: file, after: { ...body({ content: "x" }), mode: "0600" } }],
    [
      "another number",
      { kind: "file", before: file, after: { ...body({ content: "x" }), group: "5" }, exact: { group: "4" } },
    ],
    ["other content as base64", { kind: "file", before: file, after: body({ content_base64: base64("y") }) }],
    [
      "a file with other bytes",
      { kind: "file", before: { ...body({ source: "a" }), sha256: hash("x") }, after: body({ source: "c" }) },
    ],
    [
      "another version",
      {
        kind: "package",
        before: { name: "p", version: "1.0", automatic: false, hold: false },
        after: { name: "p", version: "2.*" },
        exact: { version: "1.0" },
      },
    ],
    [
      "a version of which nothing is known",
      {
        kind: "package",
        before: { name: "p", version: "1.0", automatic: false, hold: false },
        after: { name: "p", version: "1.*" },
      },
    ],
    ["recursion", { kind: "directory", before: { path }, after: { path, recurse: true } }],
    [
      "something else is kept",
      {
        kind: "directory",
        before: { path, purge: true, keep: ["a", "b"], extra: [] },
        after: { path, purge: true, keep: ["a"] },
      },
    ],
    ...[
      ["http://a/x", "http://a/X"],
      ["http://a/", "https://a/"],
      ["http://a/", "http://a:81/"],
      ["http://a/?x=1", "http://a/?x=2"],
      ["http://a/x", "http://a/x/"],
    ].map(([before, after]): [string, Case] => [
      `the URL ${before} as ${after}`,
      { kind: "wait_for", before: { http: before! }, after: { http: after! } },
    ]),
  ])("%s", (_, one) => {
    expect(keeps(one)).toBe(false);
  });
});

describe("what a run that was killed may have done to the host already", () => {
  test.each<[string, Case]>([
    [
      "content",
      {
        kind: "file",
        before: file,
        seen: { content: "y", sha256: hash("y") },
        after: body({ content: "y" }),
      },
    ],
    [
      "content in another form",
      {
        kind: "file",
        before: file,
        seen: { content: "y", sha256: hash("y") },
        after: body({ content_base64: base64("y") }),
      },
    ],
    [
      "content of another file",
      {
        kind: "file",
        before: { ...body({ source: "a" }), sha256: hash("x") },
        seen: { sha256: hash("y") },
        after: body({ source: "c" }),
      },
    ],
    [
      "owner",
      {
        kind: "file",
        before: file,
        seen: { group: "5" },
        after: { ...body({ content: "x" }), group: "tty" },
        exact: { group: "tty" },
      },
    ],
    [
      "version",
      {
        kind: "package",
        before: { name: "p", version: "1.0", automatic: false, hold: false },
        seen: { version: "2.0" },
        after: { name: "p", version: "2.*" },
        exact: { version: "2.0" },
      },
    ],
  ])("%s", (_, one) => {
    expect(keeps(one)).toBe(false);
  });
});
