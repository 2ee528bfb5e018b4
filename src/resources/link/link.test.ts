import { spawnSync } from "node:child_process";
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { AnswerError, type Found } from "../kind.ts";
import { keptAnswer, type ScriptOperation } from "../operation.ts";
import type { LinkFacts } from "./facts.ts";
import { linkKind } from "./link.ts";

const roots: string[] = [];
let root: string;
const path = (name: string) => join(root, name);
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "conn3x-link-"));
  roots.push(root);
});
afterAll(() => {
  for (const old of roots) rmSync(old, { recursive: true, force: true });
});

const shells = [["/bin/sh"], ["/bin/bash", "--posix"], ["busybox", "sh"]].filter(
  ([program]) => spawnSync("sh", ["-c", `command -v ${program}`]).status === 0,
);

describe.each(shells)("with %s", (program, ...args) => {
  const lookAt = (links: readonly (readonly [string, string])[]): readonly Found<LinkFacts>[] => {
    const { stdout, stderr } = spawnSync(program!, args, { input: linkKind.facts.ask(links).text });
    expect(stderr.toString()).toBe("");
    return linkKind.facts.parse(stdout, links);
  };
  const look = (...names: readonly string[]): readonly Found<LinkFacts>[] => {
    const paths = names.map(path);
    return lookAt(paths.map((one) => [one, ""]));
  };
  const bring = (settings: { name: string; target: string; force?: boolean }) => {
    const want = { path: path(settings.name), target: settings.target, force: settings.force ?? null };
    for (const operation of linkKind.operate(want, look(settings.name)[0]!)) {
      expect(operation.do).toBe("script");
      const { status, stderr } = spawnSync(program!, args, {
        input: (operation as ScriptOperation).script.text,
      });
      expect({ status, stderr: stderr.toString() }).toEqual({ status: 0, stderr: "" });
    }
  };

  test("their paths without links", () => {
    mkdirSync(path("dir"));
    symlinkSync("dir", path("dirlink"));
    symlinkSync("x", path("dir/there"));
    const names = ["dir/there", "dirlink/there", "dirlink/not", "dirlink/new/not", "dirlink"];
    expect(look(...names).map(({ realNames }) => realNames)).toEqual([
      undefined,
      { [path("dirlink/there")]: path("dir/there") },
      { [path("dirlink/not")]: path("dir/not") },
      { [path("dirlink/new/not")]: path("dir/new/not") },
      undefined,
    ]);
  });

  test("facts in one answer", () => {
    symlinkSync("it's there", path("link"));
    symlinkSync("dir", path("dirlink"));
    writeFileSync(path("file"), "");
    mkdirSync(path("dir"));
    expect(look("file", "link", "missing", "dir", "dirlink", "file/below")).toEqual([
      { state: "present", facts: { kind: "file" } },
      { state: "present", facts: { kind: "link", target: "it's there" } },
      { state: "absent" },
      { state: "present", facts: { kind: "empty" } },
      { state: "present", facts: { kind: "link", target: "dir" } },
      { state: "absent" },
    ]);
  });

  test("makes one, with its parents, and another target", () => {
    bring({ name: "a/b/link", target: "-x y" });
    expect(readlinkSync(path("a/b/link"))).toBe("-x y");
    expect(linkKind.operate({ path: path("a/b/link"), target: "-x y" }, look("a/b/link")[0]!)).toEqual([]);
    bring({ name: "a/b/link", target: "other" });
    expect(readlinkSync(path("a/b/link"))).toBe("other");
  });

  test("replaces a link to a directory, not what is in it", () => {
    mkdirSync(path("dir"));
    symlinkSync("dir", path("link"));
    bring({ name: "link", target: "elsewhere" });
    expect(readlinkSync(path("link"))).toBe("elsewhere");
    expect(spawnSync("ls", ["-A", path("dir")]).stdout.toString()).toBe("");
  });

  test("takes a file's place only when told to", () => {
    writeFileSync(path("file"), "content");
    const want = { path: path("file"), target: "x", force: null };
    expect(linkKind.operate(want, look("file")[0]!)).toMatchObject([{ do: "refuse" }]);
    expect(readFileSync(path("file"), "utf8")).toBe("content");
    bring({ name: "file", target: "x", force: true });
    expect(lstatSync(path("file")).isSymbolicLink()).toBe(true);
  });

  describe("of a hard link", () => {
    const want = (name = "hard", target = "it's a file") => ({
      path: path(name),
      target: path(target),
      kind: "hard",
      force: null,
    });
    const found = (object: ReturnType<typeof want>) => lookAt([linkKind.facts.subject(object)])[0]!;
    const act = (object: ReturnType<typeof want>, prior?: ReturnType<typeof want>) => {
      const [operation, ...more] = linkKind.operate(object, found(object), prior);
      expect([operation?.do, more]).toEqual(["script", []]);
      const { status, stderr } = spawnSync(program!, args, {
        input: (operation as ScriptOperation).script.text,
      });
      expect({ status, stderr: stderr.toString() }).toEqual({ status: 0, stderr: "" });
    };
    const inode = (name: string) => lstatSync(path(name)).ino;

    test("makes another name of the file, also where a link leads to it", () => {
      writeFileSync(path("it's a file"), "");
      symlinkSync("it's a file", path("link"));
      for (const object of [want("a/b/hard"), want("other", "link")]) {
        expect(found(object)).toEqual({ state: "absent" });
        act(object);
        expect(found(object)).toEqual({ state: "present", facts: { kind: "same" } });
        expect(linkKind.operate(object, found(object))).toEqual([]);
      }
      expect(inode("a/b/hard")).toBe(inode("it's a file"));
      expect(lstatSync(path("other")).isFile()).toBe(true);
    });

    test("links anew where the target is another file now, but only what it made", () => {
      writeFileSync(path("it's a file"), "old");
      act(want());
      rmSync(path("it's a file"));
      writeFileSync(path("it's a file"), "new");
      const facts = { kind: "file" } as const;
      expect(found(want())).toEqual({ state: "present", facts });
      expect(linkKind.isOurs?.(facts, want(), true)).toBe(true);
      expect(linkKind.isOurs?.(facts, want(), false)).toBe(false);
      expect(linkKind.observe(facts, want())).toMatchObject({ kind: "hard", target: "(another file)" });
      expect(linkKind.operate(want(), found(want()))).toMatchObject([{ do: "refuse" }]);
      act(want(), want());
      expect(readFileSync(path("hard"), "utf8")).toBe("new");
      expect(inode("hard")).toBe(inode("it's a file"));
    });

    test("takes the place of a symbolic link, and the other way round", () => {
      writeFileSync(path("it's a file"), "");
      symlinkSync("it's a file", path("hard"));
      const [symbolic] = look("hard");
      expect(linkKind.observe({ kind: "link", target: "x" }, want())).toMatchObject({
        kind: "symbolic",
        target: "x",
      });
      expect(found(want())).toEqual(symbolic);
      act(want(), want());
      expect(inode("hard")).toBe(inode("it's a file"));
      act({ ...want(), kind: "symbolic" }, want());
      expect(readlinkSync(path("hard"))).toBe(path("it's a file"));
    });
  });

  test("takes the place of an empty directory only", () => {
    mkdirSync(path("dir"));
    writeFileSync(path("dir/kept"), "");
    const want = { path: path("dir"), target: "x", force: true };
    expect(linkKind.operate(want, look("dir")[0]!)).toMatchObject([{ do: "refuse" }]);
    // What comes into it once it was looked at stays.
    const [operation] = linkKind.operate(want, { state: "present", facts: { kind: "empty" } });
    const { status } = spawnSync(program!, args, { input: (operation as ScriptOperation).script.text });
    expect(status).not.toBe(0);
    expect(lstatSync(path("dir/kept")).isFile()).toBe(true);
    rmSync(path("dir/kept"));
    bring({ name: "dir", target: "x", force: true });
    expect(readlinkSync(path("dir"))).toBe("x");
  });
});

test("a target with a line end spoils no other's answer", () => {
  const links = [
    ["/a", ""],
    ["/b", ""],
  ] as const;
  expect(() => linkKind.facts.parse(Buffer.from("link\nlink\na\nb\nc\n"), links)).toThrow(AnswerError);
  expect(() => linkKind.facts.parse(Buffer.from("what\n"), [["/a", ""]])).toThrow(AnswerError);
});

test("removal leaves what has taken its place", () => {
  const prior = { path: "/srv/link", target: "x" };
  expect(linkKind.remove(prior, { state: "present", facts: { kind: "file" } })).toEqual([]);
  expect(linkKind.remove(prior, { state: "present", facts: { kind: "link", target: "y" } })).toHaveLength(1);
  expect(linkKind.remove(prior, { state: "absent" })).toEqual([]);
  const hard = { ...prior, kind: "hard" };
  expect(linkKind.remove(hard, { state: "present", facts: { kind: "same" } })).toMatchObject([
    { purpose: "remove the link /srv/link" },
  ]);
  expect(linkKind.remove(hard, { state: "present", facts: { kind: "file" } })).toMatchObject([
    { script: { text: `printf ${keptAnswer}` } },
  ]);
});

test("a hard link has an absolute target", () => {
  const object = { path: "/srv/link", target: "x", kind: "hard" };
  expect(linkKind.check?.(object)).toMatchObject([{ summary: "Target is not absolute" }]);
  expect(linkKind.check?.({ ...object, target: "/x" })).toEqual([]);
  expect(linkKind.check?.({ ...object, kind: null })).toEqual([]);
});
