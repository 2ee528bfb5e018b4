import { spawnSync } from "node:child_process";
import {
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { quote } from "../../script/script.ts";
import type { PlainObject } from "../../values/plain.ts";
import { AnswerError } from "../kind.ts";
import { willBeRemoved } from "./contents.ts";
import { parseNames } from "./listed-names.ts";
import { findExtra, removeExtra } from "./purge.ts";

let root: string;
let tree: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "conn3x-purge-"));
  tree = join(root, "it's [a] tree");
  mkdirSync(tree);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const put = (...names: readonly string[]) => {
  for (const name of names) {
    mkdirSync(dirname(join(tree, name)), { recursive: true });
    if (name.endsWith("/")) mkdirSync(join(tree, name), { recursive: true });
    else writeFileSync(join(tree, name), "");
  }
};
/** Names in the tree, without what links lead to. */
const left = (directory = ""): readonly string[] =>
  readdirSync(join(tree, directory), { withFileTypes: true })
    .flatMap((entry) => {
      const name = join(directory, entry.name);
      return [name, ...(entry.isDirectory() ? left(name) : [])];
    })
    .sort();
const want = (settings: PlainObject = {}): PlainObject => ({
  path: tree,
  purge: true,
  managed: null,
  keep: null,
  ...settings,
});
const managed = (...names: readonly string[]) => ({ managed: names.map((name) => join(tree, name)) });

/** Busybox finds its own tools first only where it is told to. */
const busyboxTools = (): string => {
  const directory = mkdtempSync(join(tmpdir(), "conn3x-busybox-"));
  for (const tool of ["find", "stat", "sed"])
    symlinkSync(
      spawnSync("sh", ["-c", "command -v busybox"], { encoding: "utf8" }).stdout.trim(),
      join(directory, tool),
    );
  return directory;
};
const shells = [["/bin/sh"], ["/bin/bash", "--posix"], ["busybox", "sh"]].filter(
  ([program]) => spawnSync("sh", ["-c", `command -v ${program}`]).status === 0,
);

describe.each(shells)("with %s", (program, ...args) => {
  const tools = program === "busybox" ? `${busyboxTools()}:` : "";
  const shell = (text: string) =>
    spawnSync(program!, args, { input: text, env: { ...process.env, PATH: `${tools}${process.env.PATH}` } });
  const run = (text: string) => {
    const { status, stdout, stderr } = shell(text);
    expect({ status, stderr: stderr.toString() }).toEqual({ status: 0, stderr: "" });
    return stdout;
  };
  /** What was found, and what is left after the removal. */
  const purge = (settings: PlainObject = {}) => {
    const extra = parseNames(run(findExtra(want(settings)).text));
    run(removeExtra(want(settings)).text);
    expect(parseNames(run(findExtra(want(settings)).text))).toEqual([]);
    return { extra, left: left() };
  };

  test("all goes that no step put there, at any depth, and directories that are empty then", () => {
    put("ours", "theirs", "a/b/ours", "a/theirs", "c/d/theirs", "empty/", " -rf", "it's\nodd", "*");
    expect(purge(managed("ours", "a/b/ours"))).toEqual({
      extra: [" -rf", "*", "a/theirs", "c/d/theirs", "empty", "it's\nodd", "theirs"],
      left: ["a", "a/b", "a/b/ours", "ours"],
    });
  });

  test.runIf(process.getuid?.() === 0)(
    "root's directories that a user can have moved there are not emptied",
    () => {
      put("users/moved/secret", "users/of-users/f", "users/empty/", "roots/in/f", "users/f");
      for (const name of ["users", "users/of-users", "users/of-users/f"])
        chownSync(join(tree, name), 65533, 65533);
      const before = left();
      const { status, stderr } = shell(removeExtra(want()).text);
      expect(status).not.toBe(0);
      expect(stderr.toString()).toBe(
        `${tree}/users/moved is a directory of root or the acting user with something in it, where others can move it to. Nothing was removed: remove it by hand, or name it in keep.\n`,
      );
      expect(left()).toEqual(before);
      run(removeExtra(want({ keep: ["users/moved"] })).text);
      expect(left()).toEqual(["users", "users/moved", "users/moved/secret"]);
    },
  );

  test("a directory of ours stays when it is empty, and what others put into it goes", () => {
    put("conf.d/theirs", "empty/");
    expect(purge(managed("conf.d", "empty")).left).toEqual(["conf.d", "empty"]);
  });

  test("a directory that something of ours is to be put into stays, empty as it is", () => {
    put("sub/deep/", "sub/other/", "deep/");
    symlinkSync(tree, join(root, "link"));
    const paths = [join(tree, "sub/deep/none/ours"), join(root, "link/deep/ours")];
    expect(purge({ managed: paths }).left).toEqual(["deep", "sub", "sub/deep"]);
  });

  test.each(["link/new\nline", "link/sub/[*]", "alias"])("what comes to be at %j meanwhile stays", (name) => {
    symlinkSync(tree, join(root, "link"));
    symlinkSync(join(tree, "by alias"), join(root, "alias"));
    const path = join(root, name);
    // As a step of another circuit does it: once the search has begun.
    const late = mkdtempSync(join(root, "tools-"));
    const find = spawnSync("sh", ["-c", "command -v find"], { encoding: "utf8" }).stdout.trim();
    const steps = [`[ -d ${quote(dirname(path))} ] || mkdir ${quote(dirname(path))}`, `: >${quote(path)}`];
    writeFileSync(join(late, "find"), `#!/bin/sh\n${steps.join("\n")}\nexec ${find} "$@"\n`, { mode: 0o755 });
    const { status } = spawnSync(program!, args, {
      input: removeExtra(want({ managed: [path] })).text,
      env: { ...process.env, PATH: `${late}:${process.env.PATH}` },
    });
    expect([status, existsSync(path)]).toEqual([0, true]);
  });

  test("names with characters of patterns mean themselves", () => {
    put("[ab]", "a", "*.conf", "x.conf", "back\\slash");
    expect(purge(managed("[ab]", "*.conf", "back\\slash")).left).toEqual(["*.conf", "[ab]", "back\\slash"]);
  });

  test("what keep has stays with all below it", () => {
    put("cache/deep/x", "logs/a.log", "logs/b.txt", "other");
    expect(purge({ keep: ["cache", `${tree}/logs/*.log`.replace("[a]", "\\[a\\]")] }).left).toEqual([
      "cache",
      "cache/deep",
      "cache/deep/x",
    ]);
  });

  test("keep takes patterns, and paths of other directories mean nothing", () => {
    put("logs/a.log", "logs/b.txt", "etc/passwd");
    expect(purge({ keep: ["logs/*.log", "/etc", `${tree}2/logs`] }).left).toEqual(["logs", "logs/a.log"]);
  });

  test("backups of what is ours stay, and what is being written", () => {
    const temporary = ".conn3x-0123456789ab-00000000-00000000-99";
    put("a", "a.2026-11-30T062123Z~", "a.2026-11-30T062123Z-0123456789abcdef~", "a~", temporary);
    expect(purge(managed("a")).left).toEqual([
      temporary,
      "a",
      "a.2026-11-30T062123Z-0123456789abcdef~",
      "a.2026-11-30T062123Z~",
    ]);
  });

  test("links are removed themselves; nothing is touched that they lead to", () => {
    mkdirSync(join(root, "outside"));
    writeFileSync(join(root, "outside/precious"), "");
    symlinkSync("../outside", join(tree, "link"));
    symlinkSync("nowhere", join(tree, "dangling"));
    symlinkSync("../outside", join(tree, "ours"));
    const found = purge(managed("ours"));
    expect(found).toEqual({ extra: ["dangling", "link"], left: ["ours"] });
    expect(existsSync(join(root, "outside/precious"))).toBe(true);
  });

  test("what is ours by another name stays: through a link on the way, and as a hard link", () => {
    put("real/file", "linked", "target");
    symlinkSync(tree, join(root, "alias"));
    linkSync(join(tree, "linked"), join(root, "hard"));
    symlinkSync("target", join(tree, "followed"));
    const paths = [
      join(root, "alias/real/file"),
      join(root, "hard"),
      join(tree, "followed"),
      join(root, "gone"),
    ];
    expect(purge({ managed: paths })).toEqual({
      extra: [],
      left: ["followed", "linked", "real", "real/file", "target"],
    });
  });

  test("a directory that is a link itself is looked into with follow, and only then", () => {
    put("theirs", "ours");
    symlinkSync(tree, join(root, "alias"));
    const settings = { path: `${join(root, "alias")}/`, managed: [join(root, "alias/ours")] };
    const { status, stderr } = shell(removeExtra(want(settings)).text);
    expect([status, stderr.toString()]).toEqual([1, `${join(root, "alias")} is not a directory any more\n`]);
    expect(left()).toEqual(["ours", "theirs"]);
    expect(purge({ ...settings, follow: true })).toEqual({ extra: ["theirs"], left: ["ours"] });
  });

  test.runIf(process.getuid?.() === 0)(
    "what is mounted there is left alone, and the way to it",
    (context) => {
      put("on the way/mounted [x]/", "on the way/theirs");
      const mount = join(tree, "on the way/mounted [x]");
      mkdirSync(join(root, "bound"));
      writeFileSync(join(root, "bound/precious"), "");
      if (spawnSync("mount", ["--bind", join(root, "bound"), mount]).status !== 0) context.skip();
      try {
        expect(purge()).toEqual({
          extra: ["on the way/theirs"],
          left: ["on the way", "on the way/mounted [x]", "on the way/mounted [x]/precious"],
        });
      } finally {
        spawnSync("umount", [mount]);
      }
    },
  );

  test("the root directory is refused, by whatever name", () => {
    symlinkSync("/", join(root, "slash"));
    for (const script of [findExtra, removeExtra]) {
      const settings = { path: join(root, "slash"), keep: ["*"], follow: true };
      const { status, stderr } = shell(script(want(settings)).text);
      expect([status, stderr.toString()]).toEqual([1, "it is the root directory\n"]);
    }
  });

  test("many paths of ours are no trouble", () => {
    put("theirs", "f1", "f999");
    const names = Array.from({ length: 1000 }, (_, i) => `f${i}`);
    expect(purge(managed(...names))).toEqual({ extra: ["theirs"], left: ["f1", "f999"] });
  });
});

test("a name that somebody chose stays on its line of the warning, and says nothing to the terminal", () => {
  const extra = ["plain", "two\nlines", "\u001b[2J"];
  const [warning] = willBeRemoved({ path: "/srv", extra: [] }, extra);
  expect(warning?.detail.split("\n").slice(1, -1)).toEqual(["  plain", '  "two\\nlines"', '  "\\u001b[2J"']);
});

test("of very many names the first are told, and how many more there are", () => {
  const names = Array.from({ length: 1200 }, (_, i) => `./${String(1199 - i).padStart(4, "0")}\0`).join("");
  const reported = parseNames(Buffer.from(names));
  expect(reported).toHaveLength(1001);
  expect([reported[0], reported[999], reported[1000]]).toEqual(["0000", "0999", "(and 200 more)"]);
});

test.each(["x\0", "./x", "./x\0./y"])("what is no list of names is refused: %j", (answer) => {
  expect(() => parseNames(Buffer.from(answer))).toThrow(AnswerError);
});
