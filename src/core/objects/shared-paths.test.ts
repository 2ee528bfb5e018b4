import { describe, expect, test } from "vitest";
import { kinds } from "../../resources/index.ts";
import { schemaType } from "../../schema/schema.ts";
import { at } from "../../values/path.ts";
import { fromPlain, type PlainObject } from "../../values/plain.ts";
import { contradictions } from "./contradictions.ts";
import type { Holder } from "./holder.ts";
import { claimsOf, contentConflicts, placeConflicts } from "./shared-paths.ts";

/** An instance of resource `conn3x_KIND.NAME`, which comes after others. */
function holder(kind: string, name: string, settings: PlainObject, after: readonly string[] = []): Holder {
  const { schema } = kinds.get(`conn3x_${kind}`)!;
  const object = { ssh: { address: "10.0.0.1" }, ...settings };
  const address = `conn3x_${kind}.${name}`;
  return {
    type: { name: `conn3x_${kind}`, schema },
    subject: { address },
    planned: fromPlain(object, schemaType(schema)),
    marks: [],
    loaded: { resource: { address }, allAfter: after },
  } as unknown as Holder;
}
const file = (more: PlainObject = {}, after?: readonly string[]) =>
  holder("file", "f", { path: "/srv/x", ...more }, after);
const directory = (more: PlainObject = {}, after?: readonly string[]) =>
  holder("directory", "d", { path: "/srv/x", ...more }, after);
const link = (more: PlainObject = {}, after?: readonly string[]) =>
  holder("link", "l", { path: "/srv/x", target: "/srv/y", ...more }, after);
const line = (more: PlainObject = {}) => holder("line", "t", { path: "/srv/x", line: "x", ...more });
const command = (more: PlainObject = {}) => holder("command", "c", { run: "x", creates: "/srv/x", ...more });

describe("one path", () => {
  test.each<[string, readonly Holder[]]>([
    ["a file and a directory", [file(), directory()]],
    ["a directory and a file", [directory(), file()]],
    ["a directory and a line", [directory(), line()]],
    ["a directory and a hard link", [directory(), link({ kind: "hard" })]],
    ["a link that comes after a file", [file(), link({}, ["conn3x_file.f"])]],
    ["a link and a file of which nobody knows which is first", [link(), file()]],
    ["a link and a directory of two circuits", [link({ kind: "symbolic" }), directory()]],
    ["a link and a file that replaces it", [link(), file({ follow: false }, ["conn3x_link.l"])]],
    ["one path in two spellings", [file({ path: "/srv//x" }), directory({ path: "/srv/x/" })]],
    ["three, told once", [file(), directory(), holder("directory", "e", { path: "/srv/x" })]],
  ])("cannot be %s", (_, instances) => {
    expect(placeConflicts(instances.flatMap(claimsOf))).toMatchObject([
      { summary: "One path cannot be two things" },
    ]);
  });

  test.each<[string, readonly Holder[]]>([
    ["a file and its lines", [file(), line(), line({ line: "y" })]],
    ["a file and another name of it", [file(), link({ kind: "hard" })]],
    [
      "two objects of one kind: that is told elsewhere",
      [file(), holder("file", "g", { path: "/srv/x", content: "y" })],
    ],
    ["a directory in which no line of a file must be", [directory(), line({ state: "absent" })]],
    ["what a command makes", [command(), file(), command(), directory({ path: "/srv/z" })]],
    [
      "a link before the file that is written through it",
      [link(), file({ follow: true }, ["conn3x_link.l"])],
    ],
    [
      "a link before the directory that it leads to",
      [link(), directory({ follow: true }, ["conn3x_link.l"])],
    ],
    ["a file in a directory", [directory({ purge: true }), file({ path: "/srv/x/f" })]],
    ["on two hosts", [file(), directory({ ssh: { address: "10.0.0.2" } })]],
    ["on two ports", [file(), directory({ ssh: { address: "10.0.0.1", port: 2222 } })]],
    ["of a step that is left out", [file({ skipped: true }), directory()]],
  ])("can be %s", (_, instances) => {
    expect(placeConflicts(instances.flatMap(claimsOf))).toEqual([]);
  });

  test("is told with both addresses, the host, and where it is written", () => {
    expect(placeConflicts([file(), directory()].flatMap(claimsOf))).toMatchObject([
      {
        severity: "error",
        detail:
          "On 10.0.0.1, conn3x_file.f wants /srv/x to be a file, and conn3x_directory.d wants it to be a directory. Give one of them another path, or leave it out.",
        address: "conn3x_directory.d",
        attribute: at("path"),
      },
    ]);
  });

  test("is not named where it is a secret", () => {
    const secret = {
      ...directory(),
      marks: [{ path: at("path"), marks: ["sensitive"] }],
    } as unknown as Holder;
    const [problem] = placeConflicts([file(), secret].flatMap(claimsOf));
    expect(problem!.detail).toContain("wants one path to be a file");
    expect(problem!.detail).not.toContain("/srv/x");
  });
});

describe("paths through links", () => {
  const seen = (one: Holder, realNames: NonNullable<Holder["realNames"]>): Holder => ({ ...one, realNames });
  const current = holder("link", "current", { path: "/srv/current", target: "v1" });
  const fileIn = (path: string, name = path) => holder("file", name, { path, content: "x" });
  test.each<[string, readonly Holder[], string]>([
    [
      "that the host has",
      [
        holder("directory", "d", { path: "/run/x" }),
        seen(holder("file", "f", { path: "/var/run/x" }), { "/var/run/x": "/run/x" }),
      ],
      "One path cannot be two things",
    ],
    [
      "of a file and its line",
      [
        holder("file", "f", { path: "/run/x", content: "a" }),
        seen(holder("line", "t", { path: "/var/run/x", line: "b" }), { "/var/run/x": "/run/x" }),
      ],
      "One file has two contents",
    ],
    [
      "that the run makes",
      [current, fileIn("/srv/v1/a"), holder("directory", "d", { path: "/srv/current/a" })],
      "One path cannot be two things",
    ],
    [
      "that the run makes, of two files",
      [current, ...["/srv/v1/a", "/srv/current/a"].map((path) => identifiedFile(path))],
      "Two instances manage one object",
    ],
    [
      "that the run makes, one through the other",
      [
        current,
        holder("link", "up", { path: "/srv/v1/up", target: "../shared" }),
        fileIn("/srv/current/up/a"),
        holder("directory", "d", { path: "/srv/shared/a" }),
      ],
      "One path cannot be two things",
    ],
    [
      "that the run makes, into a directory that is purged",
      [current, holder("directory", "d", { path: "/srv/v1", purge: true }), fileIn("/srv/current/a")],
      "Purging would remove what another instance manages",
    ],
  ])("%s", (_, instances, summary) => {
    expect(contradictions(instances)).toMatchObject([{ summary }]);
  });

  test.each<[string, readonly Holder[]]>([
    [
      "a directory behind a link, and what its own circuit puts there",
      [
        seen(holder("directory", "d", { path: "/var/run/a", purge: true, managed: ["/var/run/a/f"] }), {
          "/var/run/a": "/run/a",
        }),
        seen(fileIn("/var/run/a/f"), { "/var/run/a/f": "/run/a/f" }),
      ],
    ],
    [
      "a link that is to lead elsewhere",
      [
        { ...current, decision: { action: "update" } },
        fileIn("/srv/v0/a"),
        seen(holder("directory", "d", { path: "/srv/current/a" }), { "/srv/current/a": "/srv/v0/a" }),
      ],
    ],
    [
      "links in a circle",
      [
        holder("link", "a", { path: "/a", target: "/b" }),
        holder("link", "b", { path: "/b", target: "/a" }),
        fileIn("/a/x"),
      ],
    ],
  ])("%s", (_, instances) => {
    expect(contradictions(instances)).toEqual([]);
  });
});

function identifiedFile(path: string): Holder {
  return holder("file", path, { id: path, path, content: path });
}

const text = "a = 1\nx\n";

describe("a file whose whole content a step writes", () => {
  test.each<[string, readonly Holder[]]>([
    ["a line that is not in it", [file({ content: "a" }), line()]],
    ["a line that comes first", [line(), file({ content: "a" })]],
    ["a line that is another in it", [file({ content: text }), line({ regexp: "^a", line: "a = 2" })]],
    ["no such line, and it has one", [file({ content: text }), line({ state: "absent" })]],
    ["a line where it is in base64", [file({ content_base64: "YQ==" }), line()]],
    ["a line where it is not known", [file({ source: "/a" }), line()]],
    ["a line in another spelling of the path", [file({ content: "a" }), line({ path: "/srv//x" })]],
  ])("must not have %s", (_, instances) => {
    expect(contentConflicts(instances.flatMap(claimsOf))).toMatchObject([
      { summary: "One file has two contents" },
    ]);
  });

  test.each<[string, readonly Holder[]]>([
    ["lines that it has", [file({ content: text }), line(), line({ regexp: "^a", line: "a = 1" })]],
    ["no line that it has not", [file({ content: text }), line({ line: "y", state: "absent" })]],
    [
      "any line if the content is left to others",
      [file({ content: "a", drift: { ignore: ["content"] } }), line()],
    ],
    ["any line if it is only written once", [file({ content: "a", drift: { mode: "disabled" } }), line()]],
    ["lines on another host", [file({ content: "a" }), line({ ssh: { address: "10.0.0.2" } })]],
    ["lines alone", [line(), line({ line: "y" })]],
  ])("may have %s", (_, instances) => {
    expect(contentConflicts(instances.flatMap(claimsOf))).toEqual([]);
  });
});
