import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { removeWithContents } from "./remove-tree.ts";

const shells = [["/bin/sh"], ["/bin/bash", "--posix"], ["busybox", "sh"]].filter(
  ([program]) => spawnSync("sh", ["-c", `command -v ${program}`]).status === 0,
);

describe.each(shells)("with %s", (program, ...args) => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "conn3x-tree-"));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  /** As on a host whose list of mounts has `points` besides the others; `points` as the kernel spells them. */
  const remove = (path: string, points: readonly string[] = []) => {
    const list = join(root, "mountinfo");
    const mounted = ["/", "/proc", ...points];
    writeFileSync(list, mounted.map((at) => `22 1 8:2 / ${at} rw - ext4 /dev/sda rw\n`).join(""));
    const text = removeWithContents(path).text.replaceAll("/proc/self/mountinfo", list);
    return spawnSync(program!, args, { input: text, encoding: "utf8" });
  };
  const make = (name: string) => {
    mkdirSync(join(root, name, "in"), { recursive: true });
    writeFileSync(join(root, name, "in/data"), "x");
    return join(root, name);
  };

  test("removes everything where nothing is mounted", () => {
    const path = make("a b");
    expect(remove(path, [`${root}/a`, `${root}/a\\040bc`, `${root}/other/in`])).toMatchObject({
      status: 0,
      stdout: "",
      stderr: "",
    });
    expect(existsSync(path)).toBe(false);
    expect(remove(path)).toMatchObject({ status: 0, stderr: "" });
  });

  test.each([
    ["below it", "plain", "plain/in", "plain/in"],
    ["at it", "plain", "plain", "plain"],
    ["under a name with a blank and a backslash", "a b\\c", "a\\040b\\134c/in", "a b\\c/in"],
    ["under a name with a tab", "a\tb", "a\\011b/in", "a\tb/in"],
    ["under a name with pattern characters", "a*[b]", "a*[b]/in", "a*[b]/in"],
  ])("deletes nothing with a mount %s, and names it", (_, name, point, shown) => {
    const path = make(name);
    const { status, stderr } = remove(path, [`${root}/${point}`]);
    expect(status).toBe(1);
    expect(stderr).toContain(`${root}/${shown}\n`);
    expect(existsSync(join(path, "in/data"))).toBe(true);
  });

  test("finds a mount behind a link on the way, and with slashes at the end", () => {
    make("real/dir");
    symlinkSync("real", join(root, "link"));
    expect(remove(`${root}/link/dir//`, [`${root}/real/dir/in`]).status).toBe(1);
    expect(existsSync(join(root, "real/dir/in/data"))).toBe(true);
  });
});
