import { spawnSync } from "node:child_process";
import { chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
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

  test.runIf(process.getuid?.() === 0).each([
    ["root's, moved to the path by the owner of the directory above", "home/dir", "home", false],
    ["of the owner of the directory above", "home/dir", "home home/dir", true],
    ["of a third user", "home/dir", "home home/dir:65532", false],
    ["root's, in one of the owner's", "home/dir/in", "home home/dir", false],
    ["root's, where only root can rename", "dir", "", true],
  ])("a directory with something in it, %s", (_, holder, owned, goes) => {
    const path = make(holder.split("/").slice(0, 2).join("/"));
    mkdirSync(join(root, holder), { recursive: true });
    writeFileSync(join(root, holder, "secret"), "x");
    for (const one of owned.split(" ").filter((name) => name !== "")) {
      const [name, user = "65533"] = one.split(":");
      chownSync(join(root, name!), Number(user), Number(user));
    }
    if (goes) rmSync(join(path, "in"), { recursive: true });
    const { status, stderr } = remove(path);
    expect([status === 0, existsSync(join(root, holder, "secret"))], stderr).toEqual([goes, !goes]);
    if (!goes) expect(stderr).toContain("Nothing was removed");
  });
});
