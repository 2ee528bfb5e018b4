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
import type { ScriptOperation } from "../operation.ts";
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
  const look = (...names: readonly string[]): readonly Found<LinkFacts>[] => {
    const paths = names.map(path);
    const { stdout, stderr } = spawnSync(program!, args, { input: linkKind.facts.ask(paths).text });
    expect(stderr.toString()).toBe("");
    return linkKind.facts.parse(stdout, paths);
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

  test("facts in one answer", () => {
    symlinkSync("it's there", path("link"));
    symlinkSync("dir", path("dirlink"));
    writeFileSync(path("file"), "");
    mkdirSync(path("dir"));
    expect(look("file", "link", "missing", "dir", "dirlink", "file/below")).toEqual([
      { state: "present", facts: { kind: "file" } },
      { state: "present", facts: { kind: "link", target: "it's there" } },
      { state: "absent" },
      { state: "present", facts: { kind: "directory" } },
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

  test("takes the place of an empty directory only", () => {
    mkdirSync(path("dir"));
    writeFileSync(path("dir/kept"), "");
    const [operation] = linkKind.operate({ path: path("dir"), target: "x", force: true }, look("dir")[0]!);
    expect(spawnSync(program!, args, { input: (operation as ScriptOperation).script.text }).status).not.toBe(
      0,
    );
    expect(lstatSync(path("dir/kept")).isFile()).toBe(true);
    rmSync(path("dir/kept"));
    bring({ name: "dir", target: "x", force: true });
    expect(readlinkSync(path("dir"))).toBe("x");
  });
});

test("a target with a line end spoils no other's answer", () => {
  expect(() => linkKind.facts.parse(Buffer.from("link\nlink\na\nb\nc\n"), ["/a", "/b"])).toThrow(AnswerError);
  expect(() => linkKind.facts.parse(Buffer.from("what\n"), ["/a"])).toThrow(AnswerError);
});

test("removal leaves what has taken its place", () => {
  const prior = { path: "/srv/link", target: "x" };
  expect(linkKind.remove(prior, { state: "present", facts: { kind: "file" } })).toEqual([]);
  expect(linkKind.remove(prior, { state: "present", facts: { kind: "link", target: "y" } })).toHaveLength(1);
  expect(linkKind.remove(prior, { state: "absent" })).toEqual([]);
});
