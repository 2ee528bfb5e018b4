import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { PlainObject } from "../../values/plain.ts";
import type { Found } from "../kind.ts";
import { keptAnswer, type Operation } from "../operation.ts";
import type { PathFacts } from "../paths/path-facts.ts";
import { directoryKind } from "./directory.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "conn3x-directory-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const want = (path: string, settings: PlainObject = {}): PlainObject => ({
  path,
  mode: null,
  owner: null,
  group: null,
  on_remove: null,
  ...settings,
});
const there: Found<PathFacts> = {
  state: "present",
  facts: {
    kind: "directory",
    link: false,
    mode: 0o755,
    uid: 0,
    gid: 0,
    size: 0,
    names: 2,
    owner: "root",
    group: "root",
  },
};

/** Carries out what the kind wants with a real shell that has a strict umask. */
const carryOut = (operations: readonly Operation[]) =>
  operations.map((operation) => {
    if (operation.do !== "script") throw new Error(`not a script: ${operation.do}`);
    return spawnSync("/bin/sh", [], { input: `umask 077\n${operation.script.text}` }).status;
  });
const modeOf = (path: string) => (statSync(path).mode & 0o7777).toString(8);

describe("operate", () => {
  test("makes the directory 0755 and its missing parents 0755, whatever the umask", () => {
    expect(carryOut(directoryKind.operate(want(join(root, "a b/c")), { state: "absent" }))).toEqual([0]);
    expect([modeOf(join(root, "a b")), modeOf(join(root, "a b/c"))]).toEqual(["755", "755"]);
  });

  test("gives it the mode that is set, and leaves parents that are there alone", () => {
    mkdirSync(join(root, "p"), { mode: 0o700 });
    carryOut(directoryKind.operate(want(join(root, "p/q"), { mode: "2750" }), { state: "absent" }));
    expect([modeOf(join(root, "p")), modeOf(join(root, "p/q"))]).toEqual(["700", "2750"]);
  });

  test("leaves nothing behind where the owner does not exist, and no more than that", () => {
    mkdirSync(join(root, "empty"));
    for (const path of ["empty/a b/c/d//", "empty/e"]) {
      const operations = directoryKind.operate(want(join(root, path), { owner: "no-such-user" }), {
        state: "absent",
      });
      expect(carryOut(operations)).toEqual([1]);
    }
    expect(readdirSync(root)).toEqual(["empty"]);
    expect(readdirSync(join(root, "empty"))).toEqual([]);
  });

  test("does nothing to one that is as wanted, refuses where a file is", () => {
    expect(directoryKind.operate(want("/srv", { mode: "755", owner: "root" }), there)).toEqual([]);
    const file: Found<PathFacts> = { state: "present", facts: { ...there.facts, kind: "file" } };
    expect(directoryKind.operate(want("/srv"), file)).toMatchObject([{ do: "refuse" }]);
    expect(directoryKind.planCheck?.(want("/srv"), file)).toMatchObject([{ severity: "warning" }]);
    expect(directoryKind.planCheck?.(want("/srv"), there)).toEqual([]);
  });
});

test("a link to a directory is one that was there, and none that Conn3x made", () => {
  const link = { ...there.facts, link: true } as PathFacts;
  expect(directoryKind.isOurs?.(link, want("/srv"), false)).toBe(true);
  expect(directoryKind.isOurs?.(link, want("/srv"), true)).toBe(false);
  expect(directoryKind.isOurs?.({ ...link, link: false }, want("/srv"), true)).toBe(true);
});

describe("remove", () => {
  test("removes an empty directory", () => {
    const path = join(root, "empty");
    mkdirSync(path);
    expect(carryOut(directoryKind.remove(want(path), there))).toEqual([0]);
    expect(existsSync(path)).toBe(false);
  });

  test("leaves one that somebody put something into, without failing", () => {
    const path = join(root, "full");
    mkdirSync(path);
    writeFileSync(join(path, "theirs"), "");
    expect(carryOut(directoryKind.remove(want(path), there))).toEqual([0]);
    expect(existsSync(join(path, "theirs"))).toBe(true);
  });

  test("removes everything in it when on_remove says so", () => {
    const path = join(root, "full");
    mkdirSync(path);
    writeFileSync(join(path, "ours"), "");
    carryOut(directoryKind.remove(want(path, { on_remove: "delete" }), there));
    expect(existsSync(path)).toBe(false);
  });

  test("does not touch a link that has taken its place, and says so", () => {
    mkdirSync(join(root, "theirs"));
    const path = join(root, "link");
    symlinkSync("theirs", path);
    const link: Found<PathFacts> = { state: "present", facts: { ...there.facts, link: true } };
    for (const on_remove of [null, "delete"]) {
      const [operation] = directoryKind.remove(want(path, { on_remove }), link);
      if (operation?.do !== "script") throw new Error("not a script");
      expect(spawnSync("/bin/sh", [], { input: operation.script.text, encoding: "utf8" }).stdout).toBe(
        keptAnswer,
      );
    }
    expect(readdirSync(root).sort()).toEqual(["link", "theirs"]);
  });
});
