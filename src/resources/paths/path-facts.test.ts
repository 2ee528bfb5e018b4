import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AnswerError } from "../kind.ts";
import { askPaths, parsePaths } from "./path-facts.ts";
import type { PathSubject } from "./subject.ts";

/** Shells that a host may have as `/bin/sh`; the ones of this machine are tried. */
const shells = [["/bin/sh"], ["/bin/dash"], ["/bin/bash", "--posix"], ["busybox", "sh"]].filter(
  ([program]) => spawnSync("sh", ["-c", `command -v ${program}`]).status === 0,
);

let root: string;
const path = (name: string) => join(root, name);

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "conn3x-paths-"));
  writeFileSync(path("plain"), "abc", { mode: 0o640 });
  writeFileSync(path('it\'s "x" (1)'), "abc");
  writeFileSync(path("line\nend"), "abc");
  writeFileSync(path("back\\slash"), "abc");
  writeFileSync(path("Šablony ü"), "");
  mkdirSync(path("dir"));
  chmodSync(path("dir"), 0o1770);
  symlinkSync("plain", path("link"));
  symlinkSync("dir", path("dirlink"));
  symlinkSync("nowhere", path("dangling"));
  symlinkSync("loop", path("loop"));
  execFileSync("mkfifo", [path("fifo")]);
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

/** `printf abc | sha256sum` */
const abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
/** `sha256sum </dev/null` */
const empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

describe.each(shells)("with %s", (program, ...args) => {
  const find = (names: readonly string[], hash = true, follow = true) => {
    const paths = names.map((name): PathSubject => [path(name), follow]);
    const run = spawnSync(program!, args, { input: askPaths(paths, hash).text });
    expect(run.stderr.toString()).toBe("");
    return parsePaths(run.stdout, paths, hash);
  };

  test("files, directories and what is not there, in one answer", () => {
    const [dir, missing, plain, below, deep] = find([
      "dir",
      "missing",
      "plain",
      "missing/below",
      "plain/below",
    ]);
    const { uid, gid, username } = userInfo();
    expect(plain).toEqual({
      state: "present",
      facts: {
        kind: "file",
        link: false,
        mode: 0o640,
        uid,
        gid,
        size: 3,
        names: 1,
        owner: username,
        group: expect.any(String),
        sha256: abc,
      },
    });
    expect(dir).toMatchObject({ state: "present", facts: { kind: "directory", mode: 0o1770 } });
    expect(dir).not.toHaveProperty("facts.sha256");
    for (const found of [missing, below, deep]) expect(found).toEqual({ state: "absent" });
  });

  test("odd names", () => {
    const names = ['it\'s "x" (1)', "line\nend", "back\\slash", "Šablony ü"];
    const hashes = find(names).map(
      (found) => found.state === "present" && "sha256" in found.facts && found.facts.sha256,
    );
    expect(hashes).toEqual([abc, abc, abc, empty]);
  });

  test("links are told and followed; dangling and looping ones are told as such", () => {
    const [link, dirlink, dangling, loop] = find(["link", "dirlink", "dangling", "loop"]);
    expect(link).toMatchObject({ state: "present", facts: { kind: "file", link: true, sha256: abc } });
    expect(dirlink).toMatchObject({ state: "present", facts: { kind: "directory", link: true } });
    expect(dangling).toEqual({
      state: "present",
      facts: { kind: "dangling", link: true, followed: true },
      realNames: { [path("dangling")]: path("nowhere") },
    });
    expect(loop).toEqual({ state: "unreadable", why: "leads through too many levels of symbolic links" });
    for (const found of find(["link", "dirlink", "dangling", "loop"], true, false))
      expect(found).toEqual({ state: "present", facts: { kind: "dangling", link: true } });
  });

  test.each([
    ["plain", false, "plain"],
    ["link", true, "plain"],
    ["link", false, "link"],
    ["dirlink", true, "dir"],
    ["dirlink/new", false, "dir/new"],
    ["dirlink/new/deep/er", false, "dir/new/deep/er"],
    ["dirlink//new", false, "dir/new"],
    ["missing/below", false, "missing/below"],
    ["dangling/below", false, "nowhere/below"],
    ["loop/below", false, "loop/below"],
  ])("%s (followed: %s) is %s there", (name, follow, real) => {
    const [found] = find([name], false, follow);
    const names = real === name ? undefined : { [path(name)]: path(real) };
    expect(found!.realNames).toEqual(names);
  });

  test("a FIFO does not stop the answer", () => {
    const [fifo, plain] = find(["fifo", "plain"]);
    expect(fifo).toMatchObject({ state: "present", facts: { kind: "other" } });
    expect(plain).toMatchObject({ facts: { sha256: abc } });
  });

  test("a thousand paths, half of them missing", () => {
    const names = Array.from({ length: 1000 }, (_, i) => (i % 2 === 0 ? "plain" : `missing${i}`));
    const distinct = [...new Set(names)];
    const found = find(distinct);
    expect(found.filter(({ state }) => state === "absent")).toHaveLength(500);
    expect(found[0]).toMatchObject({ facts: { sha256: abc } });
  });

  test("no hashes unless asked for", () => {
    expect(find(["plain"], false)[0]).not.toHaveProperty("facts.sha256");
  });
});

describe("parsePaths", () => {
  test.each([
    ["nothing", ""],
    ["an unknown word", "what\n"],
    ["a missing stat", "f\n"],
    ["a stat of another form", "f\n-rw-r--r-- root\nroot\nroot\n"],
    ["a missing hash", "f\n644 0 0 3 1\nroot\nroot\n"],
    ["lines left over", `f\n644 0 0 3 1\nroot\nroot\n${abc}\nmore\n`],
  ])("refuses %s", (_, answer) => {
    expect(() => parsePaths(Buffer.from(answer), [["/a", true]], true)).toThrow(AnswerError);
  });

  test("names may hold spaces", () => {
    const answer = Buffer.from(`f\n4755 1000 1001 0 2\nUNKNOWN\ndomain users\n${empty}\n`);
    expect(parsePaths(answer, [["/a", true]], true)[0]).toMatchObject({
      facts: { mode: 0o4755, uid: 1000, gid: 1001, names: 2, owner: "UNKNOWN", group: "domain users" },
    });
  });
});
