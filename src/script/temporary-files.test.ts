import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sweepBeside, sweepIn, temporaryFamily } from "./temporary-files.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "sweep-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** A process id that nobody has any more. */
const gone = (): string => execFileSync("/bin/sh", ["-c", "echo $$"], { encoding: "utf8" }).trim();
const named = (path: string, pid: string | number) =>
  `.conn3x-${temporaryFamily(path)}-0123abcd-89abcdef-${pid}`;
const make = (name: string, secondsAgo = 0) => {
  writeFileSync(join(root, name), "half a fi");
  const then = Date.now() / 1000 - secondsAgo;
  utimesSync(join(root, name), then, then);
};

const shells = [["/bin/sh"], ["/bin/bash", "--posix"], ["busybox", "sh"]].filter(
  ([program]) => spawnSync("sh", ["-c", `command -v ${program}`]).status === 0,
);

describe.each(shells)("with %s", (program, ...args) => {
  const run = (text: string) => {
    const { status, stdout, stderr } = spawnSync(program!, args, { input: text, encoding: "utf8" });
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "", stderr: "" });
    return readdirSync(root).sort();
  };

  test("a killed writer's file goes when its path is looked at", () => {
    make(named(join(root, "config"), gone()));
    symlinkSync("nowhere", join(root, named(join(root, "config"), gone())));
    make("config");
    expect(run(sweepBeside([join(root, "other"), join(root, "config")]).text)).toEqual(["config"]);
  });

  test("another path's goes when it is a minute old", () => {
    const [young, old] = [named("/elsewhere/young", gone()), named("/elsewhere/old", gone())];
    make(young);
    make(old, 130);
    expect(run(sweepIn(root).text)).toEqual([young]);
  });

  test("what is being written stays, whoever looks", () => {
    const writer = spawn("sleep", ["20"], { stdio: "ignore" });
    try {
      const name = named(join(root, "config"), writer.pid!);
      make(name, 3600);
      expect(run(sweepBeside([join(root, "config")]).text)).toEqual([name]);
    } finally {
      writer.kill();
    }
  });

  test("what only looks like ours stays", () => {
    const family = temporaryFamily(join(root, "config"));
    const names = [
      `.conn3x-${family}`,
      `.conn3x-${family}-0123abcd-89abcdef-`,
      `.conn3x-${family}-0123abcd-89abcdef-1x`,
      `.conn3x-${family}-0123abcd-notes.md-99999`,
      ".conn3x-notes",
      "conn3x",
    ].sort();
    for (const name of names) make(name, 3600);
    const directory = named(join(root, "config"), gone());
    mkdirSync(join(root, directory));
    expect(run(sweepBeside([join(root, "config")]).text)).toEqual([...names, directory].sort());
  });

  test.runIf(process.getuid?.() === 0)("another user's stays, unless root looks", () => {
    const name = named(join(root, "config"), gone());
    make(name, 3600);
    execFileSync("chmod", ["777", root]);
    const text = sweepBeside([join(root, "config")]).text;
    spawnSync("setpriv", ["--reuid", "65534", "--clear-groups", program!, ...args], { input: text });
    expect(readdirSync(root)).toEqual([name]);
    expect(run(text)).toEqual([]);
  });

  test("a path at the root and one with odd characters", () => {
    const odd = join(root, 'it\'s "a" $(dir)\nof mine');
    mkdirSync(odd);
    writeFileSync(join(odd, named(join(odd, "x"), gone())), "");
    run(sweepBeside([join(odd, "x"), "/conn3x-no-such-file"]).text);
    expect(readdirSync(odd)).toEqual([]);
  });
});
