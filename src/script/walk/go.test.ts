import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { plainPath } from "../../values/host-path.ts";
import { type Script, script } from "../script.ts";
import { goTo, walk } from "./go.ts";

const goInto = (path: string): Script => script`c3x_go ${plainPath(path)} || c3x_refuse "$c3x_why"`;

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "walk-")));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** A directory that everybody can write to stands for that of another user. */
const open = (...parts: string[]): string => {
  const path = directory(...parts);
  chmodSync(path, 0o777);
  return path;
};
const directory = (...parts: string[]): string => {
  const path = join(root, ...parts);
  mkdirSync(path, { recursive: true });
  return path;
};
const link = (target: string, ...parts: string[]): string => {
  symlinkSync(target, join(root, ...parts));
  return join(root, ...parts);
};

const shells = [["/bin/sh"], ["/bin/bash", "--posix"], ["busybox", "sh"]].filter(
  ([program]) => spawnSync("sh", ["-c", `command -v ${program}`]).status === 0,
);

describe.each(shells)("with %s", (program, ...args) => {
  const run = (way: Script) => {
    const text = script`${walk}
c3x_refuse() { printf 'no: %s' "$1"; exit; }
${way}
printf '%s|%s|%s' "$PWD" "\${c3x_name-}" "$c3x_shared"`.text;
    const { status, stdout, stderr } = spawnSync(program!, args, { input: text, encoding: "utf8" });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    return stdout;
  };

  test("goes to where a path leads, whatever its characters", () => {
    const odd = directory("a (1)", "it's\n", "-n");
    expect(run(goTo(`${odd}/x\ny`, false))).toBe(`${odd}|x\ny|`);
    expect(run(goInto(`${odd}//`))).toBe(`${odd}||`);
    expect(run(goTo("/x", false))).toMatch(/^\/\|x\|y?$/);
  });

  test("knows what somebody else can change, above as well", () => {
    expect(run(goInto(open("open")))).toBe(`${root}/open||y`);
    expect(run(goInto(directory("open", "in")))).toBe(`${root}/open/in||y`);
    const sticky = open("sticky");
    chmodSync(sticky, 0o1777);
    expect(run(goTo(`${sticky}/x`, false))).toBe(`${sticky}|x|y`);
    // Nobody but its owner can rename a directory there.
    expect(run(goInto(directory("sticky", "in")))).toBe(`${sticky}/in||`);
  });

  test("follows links where nobody else can make them, and only there", () => {
    const real = directory("real", "in");
    link("real", "also");
    expect(run(goTo(`${root}/also/in/x`, false))).toBe(`${real}|x|`);
    link("../real/in/../in", "real", "up");
    expect(run(goTo(`${root}/also/up/x`, false))).toBe(`${real}|x|`);
    open("open");
    const inside = link(real, "open", "link");
    expect(run(goTo(`${inside}/x`, true))).toContain(
      `no: leads through the symbolic link ${inside}, which is not followed`,
    );
    const way = link("open/link", "way");
    expect(run(goTo(`${way}/x`, true))).toContain(`no: leads through the symbolic link ${inside}`);
    link("round", "round");
    expect(run(goTo(`${root}/round/x`, true))).toBe("no: leads through too many levels of symbolic links");
  });

  test("follows a last link only when asked to", () => {
    const real = directory("real");
    const last = link("real/file", "last");
    expect(run(goTo(last, false))).toBe(`${root}|last|`);
    expect(run(goTo(last, true))).toBe(`${real}|file|`);
    expect(run(goTo(link("real/", "dir"), true))).toBe(`${root}|real|`);
    expect(run(goTo(link("real/..", "dots"), true))).toBe(`${root}|.|`);
    open("open");
    const inside = link("../real/file", "open", "file");
    expect(run(goTo(inside, false))).toBe(`${root}/open|file|y`);
    expect(run(goTo(inside, true))).toContain("no: leads through the symbolic link");
  });

  test.runIf(process.getuid?.() === 0)("what root makes in a user's directory is that user's", () => {
    const home = directory("home");
    chmodSync(root, 0o755);
    chownSync(home, 65533, 65532);
    expect(run(goTo(`${home}/.config/app/x`, false, true))).toBe(`${home}/.config/app|x|y`);
    for (const made of [".config", ".config/app"]) {
      const { uid, gid, mode } = statSync(join(home, made));
      expect([made, uid, gid, mode & 0o7777]).toEqual([made, 65533, 65532, 0o755]);
    }
    run(goTo(join(root, "own/in/x"), false, true));
    expect(statSync(join(root, "own/in")).uid).toBe(0);
  });

  test("makes what is missing, and takes it away again", () => {
    const make = (then: Script | string) =>
      run(script`umask 077
${goTo(`${root}/a/b/c`, false, true)}
${then}`);
    expect(make(script`:`)).toBe(`${root}/a/b|c|`);
    expect(make(script`c3x_unmake`)).toBe(`${root}/a/b|c|`);
    rmSync(join(root, "a"), { recursive: true });
    expect(make(script`c3x_unmake`)).toBe(`${root}|c|`);
    expect(existsSync(join(root, "a"))).toBe(false);
    expect(run(goTo(`${root}/a/b/c`, false))).toBe(
      `no: cannot be there: the directory ${root}/a does not exist`,
    );
    rmSync(directory("file"), { recursive: true });
    spawnSync("touch", [join(root, "file")]);
    expect(run(goTo(`${root}/file/b/c`, false, true))).toBe(
      `no: cannot be there: ${root}/file is not a directory`,
    );
  });
});
