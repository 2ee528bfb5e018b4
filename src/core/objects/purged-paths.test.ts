import { describe, expect, test } from "vitest";
import { kinds } from "../../resources/index.ts";
import { schemaType } from "../../schema/schema.ts";
import { at } from "../../values/path.ts";
import { fromPlain, type PlainObject } from "../../values/plain.ts";
import type { Holder } from "./holder.ts";
import { purgeConflicts } from "./purged-paths.ts";
import { claimsOf } from "./shared-paths.ts";

function holder(kind: string, settings: PlainObject, marks: Holder["marks"] = []): Holder {
  const { schema } = kinds.get(`conn3x_${kind}`)!;
  const address = `conn3x_${kind}.x`;
  return {
    type: { name: `conn3x_${kind}`, schema },
    subject: { address },
    planned: fromPlain({ ssh: { address: "10.0.0.1" }, ...settings }, schemaType(schema)),
    marks,
    loaded: { resource: { address }, allAfter: [] },
  } as unknown as Holder;
}
const purge = (more: PlainObject = {}) => holder("directory", { path: "/etc/d/", purge: true, ...more });
const file = (path: string, more: PlainObject = {}) => holder("file", { path, content: "", ...more });

test("what another instance puts there is named, with what to do", () => {
  expect(purgeConflicts([purge(), file("/etc/d/sub/f")].flatMap(claimsOf))).toMatchObject([
    {
      severity: "error",
      summary: "Purging would remove what another instance manages",
      detail:
        'On 10.0.0.1, conn3x_directory.x removes from /etc/d what no step put there, and would remove /etc/d/sub/f, which conn3x_file.x puts there: a circuit does not know what modules and resource blocks put on its hosts. Name "sub/f" in keep.',
      address: "conn3x_directory.x",
      attribute: at("purge"),
    },
  ]);
});

test("so is what a recursion would set", () => {
  const recursion = holder("directory", { path: "/etc/d", recurse: true, owner: "root" });
  expect(purgeConflicts([recursion, file("/etc/d/sub/f")].flatMap(claimsOf))).toMatchObject([
    {
      summary: "Recursion would change what another instance manages",
      detail: expect.stringContaining(
        "conn3x_directory.x sets owner, group or mode of what is in /etc/d, and would set those of /etc/d/sub/f, which conn3x_file.x puts there",
      ),
      attribute: at("recurse"),
    },
  ]);
  for (const more of [{ managed: ["/etc/d/sub/f"] }, { keep: ["sub"] }, { recurse: false }]) {
    const spared = holder("directory", { path: "/etc/d", recurse: true, owner: "root", ...more });
    expect(purgeConflicts([spared, file("/etc/d/sub/f")].flatMap(claimsOf))).toEqual([]);
  }
});

describe("it is an error", () => {
  test.each<[string, readonly Holder[]]>([
    ["whichever is first", [file("/etc/d/f"), purge()]],
    ["for links", [purge(), holder("link", { path: "/etc/d/l", target: "/x" })]],
    ["for directories", [purge(), holder("directory", { path: "/etc/d/e" })]],
    ["for lines", [purge(), holder("line", { path: "/etc/d/f", line: "x" })]],
    ["for what commands make", [purge(), holder("command", { run: "x", creates: "/etc/d/c" })]],
    ["where others are spared", [purge({ keep: ["g", "f?"], managed: ["/etc/d/h"] }), file("/etc/d/f")]],
    ["below what a step put there", [purge({ managed: ["/etc/d/e"] }), file("/etc/d/e/f")]],
    ["once for a directory", [purge(), file("/etc/d/f"), file("/etc/d/g")]],
    ["where * is no star", [purge({ keep: ["[*]"] }), file("/etc/d/f")]],
  ])("%s", (_, instances) => {
    expect(purgeConflicts(instances.flatMap(claimsOf))).toHaveLength(1);
  });
});

describe("it is fine", () => {
  test.each<[string, readonly Holder[]]>([
    ["without purging", [purge({ purge: false }), file("/etc/d/f")]],
    ["elsewhere", [purge(), file("/etc/dd/f"), file("/etc/d", { content: "x" })]],
    ["on another host", [purge(), file("/etc/d/f", { ssh: { address: "10.0.0.2" } })]],
    ["where the compiler knew it", [purge({ managed: ["/etc/d//f"] }), file("/etc/d/f")]],
    ["where it is kept", [purge({ keep: ["f"] }), file("/etc/d/f")]],
    ["where it is kept by its path", [purge({ keep: ["/etc/d/f"] }), file("/etc/d/f")]],
    ["where a directory above it is kept", [purge({ keep: ["sub"] }), file("/etc/d/sub/deep/f")]],
    ["where it is kept by a pattern", [purge({ keep: ["*.c[ao]nf?"] }), file("/etc/d/sub/a.conf2")]],
    ["where the pattern says what it is not", [purge({ keep: ["[!a]"] }), file("/etc/d/f")]],
    [
      "where something below it is kept",
      [purge({ keep: ["e/f"] }), holder("directory", { path: "/etc/d/e" })],
    ],
    ["of a step that is left out", [purge(), file("/etc/d/f", { skipped: true })]],
    [
      "where there need be no file",
      [purge(), holder("line", { path: "/etc/d/f", line: "x", state: "absent" })],
    ],
  ])("%s", (_, instances) => {
    expect(purgeConflicts(instances.flatMap(claimsOf))).toEqual([]);
  });
});

test("a secret path is not named", () => {
  const marks = [{ path: at("path"), marks: ["sensitive"] }] as unknown as Holder["marks"];
  const [problem] = purgeConflicts(
    [purge(), holder("file", { path: "/etc/d/f", content: "" }, marks)].flatMap(claimsOf),
  );
  expect(problem!.detail).toContain("would remove something, which conn3x_file.x puts there");
  expect(problem!.detail).not.toContain("/etc/d");
});
