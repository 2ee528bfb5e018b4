import { spawnSync } from "node:child_process";
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { PlainObject } from "../../values/plain.ts";
import type { PathFacts } from "../paths/path-facts.ts";
import { directoryKind } from "./directory.ts";
import { parseNames } from "./listed-names.ts";
import { findOthers, setAll } from "./recurse.ts";

let root: string;
let tree: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "conn3x-recurse-"));
  tree = join(root, "it's a tree");
  mkdirSync(join(tree, "sub/deep"), { recursive: true });
  writeFileSync(join(root, "outside"), "");
  writeFileSync(join(tree, "text"), "");
  writeFileSync(join(tree, "sub/-run"), "");
  symlinkSync("../outside", join(tree, "link"));
  for (const [name, mode] of Object.entries({
    "": 0o755,
    sub: 0o700,
    "sub/deep": 0o2777,
    text: 0o4666,
    "sub/-run": 0o711,
  })) {
    chmodSync(join(tree, name), mode);
  }
  chmodSync(join(root, "outside"), 0o600);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const want = (settings: PlainObject): PlainObject => ({
  path: tree,
  mode: null,
  owner: null,
  group: null,
  recurse: true,
  on_remove: null,
  hands_on: ["owner", "group", "mode"].filter((name) => typeof settings[name] === "string"),
  managed: null,
  keep: null,
  ...settings,
});
const mode = (name: string) => (lstatSync(join(tree, name)).mode & 0o7777).toString(8);
const shells = [["/bin/sh"], ["/bin/bash", "--posix"], ["busybox", "sh"]].filter(
  ([program]) => spawnSync("sh", ["-c", `command -v ${program}`]).status === 0,
);

describe.each(shells)("with %s", (program, ...args) => {
  const run = (text: string) => {
    const { status, stdout, stderr } = spawnSync(program!, args, { input: text, encoding: "utf8" });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    return stdout;
  };
  const others = (object: PlainObject) => parseNames(Buffer.from(run(findOthers(object).text)));

  test("a mode holds for directories, and for files without what makes them run", () => {
    const object = want({ mode: "2750" });
    expect(others(object)).toEqual(["sub", "sub/-run", "sub/deep", "text"]);
    run(setAll(object).text);
    expect(["", "sub", "sub/deep", "text", "sub/-run"].map(mode)).toEqual([
      "755",
      "2750",
      "2750",
      "640",
      "750",
    ]);
    expect((lstatSync(join(root, "outside")).mode & 0o777).toString(8)).toBe("600");
    expect(others(object)).toEqual([]);
    chmodSync(join(tree, "sub/-run"), 0o640);
    expect(others(object)).toEqual([]);
    chmodSync(join(tree, "text"), 0o644);
    expect(others(object)).toEqual(["text"]);
  });

  test.runIf(process.getuid?.() === 0)("an owner and a group hold for links themselves", () => {
    const object = want({ owner: "65534", group: "4711" });
    run(setAll(object).text);
    for (const name of ["sub/deep", "sub/-run", "link"]) {
      expect(lstatSync(join(tree, name))).toMatchObject({ uid: 65534, gid: 4711 });
    }
    expect(lstatSync(join(root, "outside"))).toMatchObject({ uid: 0, gid: 0 });
    expect(others(object)).toEqual([]);
  });

  test.runIf(process.getuid?.() === 0)("a hard link of a file elsewhere is named, and not touched", () => {
    chmodSync(tree, 0o777);
    linkSync(join(root, "outside"), join(tree, "another"));
    const { status, stderr } = spawnSync(program!, args, {
      input: setAll(want({ owner: "65534" })).text,
      encoding: "utf8",
    });
    expect(status).not.toBe(0);
    expect(stderr).toContain(`${tree}/another is another name (a hard link) of a file elsewhere`);
    expect(lstatSync(join(root, "outside")).uid).toBe(0);
  });

  test.runIf(process.getuid?.() === 0)("what is mounted in it is left alone", (context) => {
    if (spawnSync("mount", ["-t", "tmpfs", "-o", "mode=711", "none", join(tree, "sub/deep")]).status !== 0)
      context.skip();
    try {
      run(setAll(want({ mode: "0750", owner: "65534" })).text);
      expect(lstatSync(join(tree, "sub")).uid).toBe(65534);
      writeFileSync(join(tree, "sub/deep/theirs"), "");
      run(setAll(want({ mode: "0700", owner: "65534" })).text);
      expect(lstatSync(join(tree, "sub/deep/theirs")).uid).toBe(0);
    } finally {
      spawnSync("umount", [join(tree, "sub/deep")]);
    }
  });
});

describe("the kind", () => {
  const facts = {
    kind: "directory",
    link: false,
    mode: 0o755,
    uid: 0,
    gid: 0,
    size: 0,
    names: 2,
    owner: "root",
    group: "root",
  } as const satisfies PathFacts;
  const object = { ...want({ mode: "0755" }), path: "/srv/tree" };

  test("looks into it only where that is asked for", () => {
    expect(directoryKind.closer?.ask(facts, object, "refresh")).toMatchObject({ ask: "slow" });
    expect(directoryKind.closer?.ask(facts, object, "plan_check")).toMatchObject({ ask: "slow" });
    expect(directoryKind.closer?.ask(facts, { ...object, recurse: null }, "refresh")).toBe(undefined);
    expect(directoryKind.closer?.ask({ ...facts, kind: "file" }, object, "refresh")).toBe(undefined);
  });

  test("shows drift in it, and puts it back", () => {
    const closer = () => {
      const question = directoryKind.closer!.ask(facts, want({ mode: "0755" }), "refresh");
      if (question?.ask !== "slow") throw new Error("nothing is asked");
      const stdout = spawnSync("/bin/sh", { input: question.script.text }).stdout;
      return directoryKind.closer!.parse({ status: 0, stdout, stderr: Buffer.alloc(0) }, facts);
    };
    const other = closer();
    spawnSync("/bin/sh", { input: setAll(want({ mode: "0755" })).text });
    const uniform = closer();
    expect(directoryKind.observe(uniform, object)).toMatchObject({ differing: [] });
    expect(directoryKind.observe(other, object)).toMatchObject({
      differing: ["sub", "sub/-run", "sub/deep", "text"],
      mode: "0755",
    });
    expect(directoryKind.operate(object, { state: "present", facts: uniform })).toEqual([]);
    expect(directoryKind.operate(object, { state: "present", facts: other })).toMatchObject([
      { own: true, purpose: `set owner and mode of what is in /srv/tree` },
    ]);
  });

  test("needs something to set", () => {
    expect(directoryKind.check?.(want({}))).toHaveLength(1);
    expect(directoryKind.check?.(want({ owner: "root" }))).toEqual([]);
    expect(directoryKind.check?.(want({ recurse: null }))).toEqual([]);
  });
});
