/** Where others can write, whoever put a file there before does not get what is written by its owner, group or mode. */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { FilePut } from "../session.ts";
import { demoSession } from "../testing/demo-session.ts";

const [user, other] = [65533, 65532];

describe.runIf(process.getuid?.() === 0)("a file that is there", () => {
  const demo = demoSession();
  let count = 0;
  /** In a new directory. */
  const there = (of: { directory: number; mode: number; file: number; bits: number }): string => {
    const directory = join(demo.host.root, `strangers-${count++}`);
    mkdirSync(directory);
    chmodSync(directory, of.mode);
    chownSync(directory, of.directory, of.directory);
    const path = join(directory, "f");
    writeFileSync(path, "old");
    chmodSync(path, of.bits);
    chownSync(path, of.file, of.file);
    return path;
  };
  const put = (path: string, more: Partial<FilePut> = {}) =>
    demo.session.put({ path, content: Buffer.from("new"), follow: false, ...more });
  const found = (path: string) => {
    const { uid, gid, mode } = lstatSync(path);
    return [uid, gid, (mode & 0o7777).toString(8), readFileSync(path, "utf8")];
  };

  it("keeps its owner, who owns the directory, with group and mode", async () => {
    const path = there({ directory: user, mode: 0o755, file: user, bits: 0o640 });
    await put(path);
    expect(found(path)).toEqual([user, user, "640", "new"]);
    await put(path, { owner: String(user) });
    expect(found(path)).toEqual([user, user, "640", "new"]);
  });

  it("keeps root, where others have the directory", async () => {
    const path = there({ directory: user, mode: 0o755, file: 0, bits: 0o640 });
    await put(path);
    expect(found(path)).toEqual([0, 0, "640", "new"]);
  });

  it.each([
    ["in a directory for all", 0, 0o1777],
    ["in one of another user's", other, 0o755],
    ["in one that a group may write to", 0, 0o775],
  ])("keeps nobody else, %s", async (_, directory, mode) => {
    const path = there({ directory, mode, file: user, bits: 0o600 });
    await expect(put(path)).rejects.toThrow(
      `cannot write ${path} on 127.0.0.1: it belongs to user ${user}, who may have put it there to get what is written: set owner`,
    );
    expect(found(path)).toEqual([user, user, "600", "old"]);
    expect(readdirSync(join(path, ".."))).toEqual(["f"]);
    await put(path, { owner: String(user) });
    expect(found(path)).toEqual([user, user, "600", "new"]);
  });

  it("says nothing of group and mode where another owner is asked for", async () => {
    const path = there({ directory: user, mode: 0o755, file: user, bits: 0o666 });
    await put(path, { owner: "root" });
    expect(found(path)).toEqual([0, 0, "644", "new"]);
  });

  it("hands on no access list of its owner's to root, nor one that it came with", async (context) => {
    const path = there({ directory: user, mode: 0o755, file: user, bits: 0o640 });
    const list = () => {
      const program = `
import os, struct, sys
entry = lambda tag, bits, who=0xffffffff: struct.pack("<HHI", tag, bits, who)
acl = struct.pack("<I", 2) + entry(1, 6) + entry(2, 4, ${user}) + entry(4, 4) + entry(16, 4) + entry(32, 0)
os.setxattr(sys.argv[1], "system.posix_acl_access", acl)`;
      try {
        execFileSync("python3", ["-c", program, path], { stdio: "ignore" });
      } catch {
        context.skip("access control lists cannot be made here");
      }
    };
    const mark = () => execFileSync("ls", ["-ld", path], { encoding: "utf8" })[10];
    list();
    await put(path, { owner: "root", mode: 0o640 });
    expect([mark(), ...found(path)]).toEqual([" ", 0, 0, "640", "new"]);
    list();
    await expect(put(path, { owner: "root", mode: 0o640 })).rejects.toThrow("setfacl -b");
    chownSync(path, user, user);
    await put(path);
    expect([mark(), found(path)[0]]).toEqual(["+", user]);
  });
});
