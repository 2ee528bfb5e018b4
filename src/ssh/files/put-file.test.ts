import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { HostError } from "../host-error.ts";
import { resolveLogin } from "../login/resolve-login.ts";
import type { FilePut } from "../session.ts";
import { createSessionPool } from "../session-pool.ts";
import { startBareHost } from "../testing/bare-host.ts";
import { demoSession } from "../testing/demo-session.ts";

const demo = demoSession();

let count = 0;
/** A new directory on the demo.host. */
function directory(): string {
  const path = join(demo.host.root, `d${count++}`);
  mkdirSync(path);
  return path;
}
const put = (path: string, content: string | Buffer, more: Partial<FilePut> = {}): Promise<void> =>
  demo.session.put({ path, content: Buffer.from(content as string), follow: true, ...more });
const refused = (work: Promise<void>): Promise<HostError> =>
  work.then(
    () => expect.fail("the host should have refused"),
    (error: HostError) => error,
  );
const mode = (path: string): string => (statSync(path).mode & 0o7777).toString(8);
const me = `${process.getuid?.()}:${process.getgid?.()}`;
const owner = (path: string): string => `${statSync(path).uid}:${statSync(path).gid}`;
const isRoot = process.getuid?.() === 0;

describe("content", () => {
  it("arrives byte by byte, small and large, text and binary", async () => {
    const dir = directory();
    const all = Buffer.from(Array.from({ length: 256 }, (_, i) => i));
    const contents = [
      "",
      "x",
      "\n",
      "x\n\n\n",
      "-n %s %% \\n \\\\ 'it''s' \"$x\" `y` \\055",
      "1\x001\x002",
      all,
      Buffer.concat(Array(64).fill(all)),
      Buffer.concat(Array(128).fill(all)),
      Buffer.concat(Array(129).fill(all)),
      Buffer.concat(Array(12_000).fill(all)),
      "text ".repeat(6553),
    ];
    await Promise.all(contents.map((content, i) => put(join(dir, `f${i}`), content)));
    contents.forEach((content, i) => {
      expect(readFileSync(join(dir, `f${i}`)).equals(Buffer.from(content as string)), `content ${i}`).toBe(
        true,
      );
    });
    expect(readdirSync(dir)).toHaveLength(contents.length);
  });

  it("is any", async () => {
    const path = join(directory(), "any");
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        await put(path, Buffer.from(bytes));
        expect([...readFileSync(path)]).toEqual([...bytes]);
      }),
      { numRuns: 30 },
    );
  });

  it("costs a small file no channel, and one flush with whatever else is asked", async () => {
    const own = createSessionPool();
    const asked = own.session(resolveLogin(demo.host.login));
    const dir = directory();
    await Promise.all(
      ["a", "b", "c"].map((name) =>
        asked.put({ path: join(dir, name), content: Buffer.from(name.repeat(20_000)), follow: true }),
      ),
    );
    expect(asked.counters).toEqual({ flushes: 1, requests: 3, channels: 1 });
    await own.close();
  });
});

describe("path", () => {
  it("may hold anything a path can", async () => {
    const dir = directory();
    const names = [
      "a (1)",
      'it\'s "x"',
      "-rf",
      "Šablony x",
      "new\nline",
      "end\n",
      "back\\slash",
      "$HOME `id` *",
      "#",
      " ",
      "~",
      "a: b",
    ];
    await Promise.all(names.map((name) => put(join(dir, name), name)));
    for (const name of names) expect(readFileSync(join(dir, name), "utf8")).toBe(name);
    expect(readdirSync(dir).sort()).toEqual([...names].sort());
    mkdirSync(join(dir, "sub (2)\n"));
    await put(join(dir, "sub (2)\n", "-x"), "deep");
    expect(readFileSync(join(dir, "sub (2)\n", "-x"), "utf8")).toBe("deep");
  });

  it("must be absolute, of a file, in a directory that is there", async () => {
    const dir = directory();
    for (const path of ["relative", "", `${dir}/`, `${dir}/a\0b`]) {
      expect(await refused(put(path, "x"))).toMatchObject({ code: "write", started: false });
    }
    const missing = await refused(put(`${dir}/no/file`, "x"));
    expect(missing).toMatchObject({ code: "write", hostDown: false });
    expect(missing.message).toContain(`the directory ${dir}/no does not exist`);
    expect((await refused(put(dir, "x"))).message).toContain("it is a directory");
    execFileSync("mkfifo", [join(dir, "fifo")]);
    expect((await refused(put(join(dir, "fifo"), "x"))).message).toContain("not a regular file");
    expect(readdirSync(dir)).toEqual(["fifo"]);
  });
});

describe("mode and owner", () => {
  it("of a new file is 0644 unless asked for", async () => {
    const dir = directory();
    await Promise.all([
      put(join(dir, "plain"), "x"),
      put(join(dir, "secret"), "x", { mode: 0o600 }),
      put(join(dir, "none"), "x", { mode: 0 }),
      put(join(dir, "special"), "x", { mode: 0o4750 }),
    ]);
    expect(["plain", "secret", "none", "special"].map((name) => mode(join(dir, name)))).toEqual([
      "644",
      "600",
      "0",
      "4750",
    ]);
    expect(owner(join(dir, "plain"))).toBe(me);
  });

  it("of an old file stay unless asked for", async () => {
    const path = join(directory(), "old");
    writeFileSync(path, "old");
    chmodSync(path, 0o2751);
    await put(path, "new");
    expect(mode(path)).toBe("2751");
    await put(path, "new", { mode: 0o640 });
    expect(mode(path)).toBe("640");
  });

  it.runIf(isRoot)("follow names and numbers, and set-id bits stay with a new owner", async () => {
    const path = join(directory(), "owned");
    await put(path, "x", { owner: "daemon", mode: 0o4755 });
    expect([owner(path), mode(path)]).toEqual(["1:0", "4755"]);
    await put(path, "y", { group: "12345" });
    expect([owner(path), mode(path)]).toEqual(["1:12345", "4755"]);
    await put(path, "z");
    expect([owner(path), mode(path)]).toEqual(["1:12345", "4755"]);
    await put(path, "z", { owner: "2015", group: "bin" });
    expect(owner(path)).toBe("2015:2");
  });

  it("that cannot be set leave the old file and nothing else", async () => {
    const dir = directory();
    writeFileSync(join(dir, "f"), "old");
    const error = await refused(put(join(dir, "f"), "new", { owner: "no-such-user" }));
    expect(error).toMatchObject({ code: "write", host: "127.0.0.1" });
    expect(error.message).toMatch(/cannot write .*\/f on 127.0.0.1: .*(invalid user|no-such-user)/);
    expect(readFileSync(join(dir, "f"), "utf8")).toBe("old");
    expect(readdirSync(dir)).toEqual(["f"]);
  });
});

/** Gives a file an access control list with one more user (acl(5)); false where that cannot be done here. */
function giveAccessList(path: string): boolean {
  const program = `
import os, struct, sys
entry = lambda tag, bits, who=0xffffffff: struct.pack("<HHI", tag, bits, who)
acl = struct.pack("<I", 2) + entry(1, 6) + entry(2, 4, 1234) + entry(4, 4) + entry(16, 4) + entry(32, 0)
os.setxattr(sys.argv[1], "system.posix_acl_access", acl)`;
  try {
    execFileSync("python3", ["-c", program, path], { stdio: "ignore" });
    return execFileSync("ls", ["-ld", path], { encoding: "utf8" })[10] === "+";
  } catch {
    return false;
  }
}

describe("an access control list", () => {
  const listOf = (path: string): string =>
    execFileSync(
      "python3",
      ["-c", 'import os, sys; print(os.getxattr(sys.argv[1], "system.posix_acl_access").hex())', path],
      { encoding: "utf8" },
    );

  it("stays, and a mode that is asked for limits it", async (context) => {
    const path = join(directory(), "f");
    writeFileSync(path, "old");
    if (!giveAccessList(path)) context.skip("access control lists cannot be made here");
    const before = listOf(path);
    await put(path, "new");
    expect([readFileSync(path, "utf8"), listOf(path)]).toEqual(["new", before]);
    await put(path, "newer", { mode: 0o600 });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(execFileSync("ls", ["-ld", path], { encoding: "utf8" })[10]).toBe("+");
    expect(readdirSync(join(path, ".."))).toEqual(["f"]);
  });
});

describe("a symbolic link", () => {
  it("is followed to its end, which may be missing, by relative and absolute steps", async () => {
    const dir = directory();
    mkdirSync(join(dir, "real\n"));
    symlinkSync("b", join(dir, "a"));
    symlinkSync(join(dir, "c"), join(dir, "b"));
    symlinkSync("real\n/target\n", join(dir, "c"));
    await put(join(dir, "a"), "one");
    expect(readFileSync(join(dir, "real\n/target\n"), "utf8")).toBe("one");
    chmodSync(join(dir, "real\n/target\n"), 0o600);
    await put(join(dir, "a"), "two");
    expect(readFileSync(join(dir, "real\n/target\n"), "utf8")).toBe("two");
    expect(mode(join(dir, "real\n/target\n"))).toBe("600");
    expect(readlinkSync(join(dir, "a"))).toBe("b");
    expect(readdirSync(join(dir, "real\n"))).toEqual(["target\n"]);
  });

  it("is replaced where it is not followed, also one to a directory and one to nowhere", async () => {
    const dir = directory();
    mkdirSync(join(dir, "sub"));
    writeFileSync(join(dir, "file"), "kept");
    symlinkSync("sub", join(dir, "to-sub"));
    symlinkSync("file", join(dir, "to-file"));
    symlinkSync("nowhere", join(dir, "to-nowhere"));
    for (const name of ["to-sub", "to-file", "to-nowhere"]) {
      await put(join(dir, name), "new", { follow: false });
      expect(lstatSync(join(dir, name)).isFile()).toBe(true);
      expect(mode(join(dir, name))).toBe("644");
    }
    expect(readFileSync(join(dir, "file"), "utf8")).toBe("kept");
    expect(readdirSync(join(dir, "sub"))).toEqual([]);
  });

  it("in a loop, or to a directory, is an error", async () => {
    const dir = directory();
    symlinkSync("loop", join(dir, "loop"));
    symlinkSync(".", join(dir, "dot"));
    expect((await refused(put(join(dir, "loop"), "x"))).message).toContain(
      "too many levels of symbolic links",
    );
    expect((await refused(put(join(dir, "dot"), "x"))).message).toContain("it is a directory");
  });
});

describe("a check before", () => {
  it("sees the new file, whole, and lets it pass", async () => {
    const dir = directory();
    const name = join(dir, "it's new");
    const validate = `printf '%%s:' '100%%' >${dir}/seen; cat %s >>${dir}/seen; sleep 5 & exit 0`;
    const begin = performance.now();
    await put(name, "new\n", { mode: 0o640, validate });
    expect(performance.now() - begin).toBeLessThan(4000);
    expect(readFileSync(join(dir, "seen"), "utf8")).toBe("100%:new\n");
    expect([readFileSync(name, "utf8"), mode(name)]).toEqual(["new\n", "640"]);
    expect(readdirSync(dir)).toEqual(["it's new", "seen"]);
  });

  it("that fails leaves the old file, and tells what it said", async () => {
    const dir = directory();
    writeFileSync(join(dir, "f"), "old");
    for (const content of ["new", "new".repeat(30_000)]) {
      const error = await refused(
        put(join(dir, "f"), content, { validate: "test -s %s; echo 'line 3: broken'; exit 4" }),
      );
      expect(error).toMatchObject({
        code: "invalid",
        hostDown: false,
        advice: expect.stringContaining("line 3: broken"),
      });
    }
    expect(readFileSync(join(dir, "f"), "utf8")).toBe("old");
    expect(readdirSync(dir)).toEqual(["f"]);
  });
});

describe("a backup", () => {
  it.runIf(isRoot)(
    "is of the file that was looked at, not of what its directory's owner links to there",
    async () => {
      const dir = directory();
      const secret = join(directory(), "secret");
      writeFileSync(secret, "root's own", { mode: 0o600 });
      const path = join(dir, "f");
      writeFileSync(path, "before");
      chownSync(path, 4321, 4321);
      chownSync(dir, 4321, 4321);
      const validate = `ln -sf ${secret} ${path}`;
      const { message } = await refused(put(path, "new", { follow: false, backup: true, validate }));
      expect(message).toContain("was changed while it was looked at");
      const kept = readdirSync(dir).filter((name) => name.endsWith("~"));
      expect(kept.map((name) => readFileSync(join(dir, name), "utf8"))).toEqual([]);
    },
  );

  it("keeps the old file with all it had, and none where there was none", async () => {
    const dir = directory();
    await put(join(dir, "f"), "first", { backup: true });
    expect(readdirSync(dir)).toEqual(["f"]);
    chmodSync(join(dir, "f"), 0o600);
    await put(join(dir, "f"), "second", { backup: true, mode: 0o644 });
    const [, kept] = readdirSync(dir).sort();
    expect(kept).toMatch(/^f\.\d{4}-\d\d-\d\dT\d{6}Z-[0-9a-f]{16}~$/);
    expect([readFileSync(join(dir, kept!), "utf8"), mode(join(dir, kept!))]).toEqual(["first", "600"]);
    expect([readFileSync(join(dir, "f"), "utf8"), mode(join(dir, "f"))]).toEqual(["second", "644"]);
  });
});

describe("writing", () => {
  it("replaces the file at once: whoever has the old one open keeps it", async () => {
    const path = join(directory(), "f");
    writeFileSync(path, "old");
    const before = statSync(path).ino;
    await put(path, "new");
    expect(statSync(path).ino).not.toBe(before);
  });

  it("clears away what an interrupted write of the same path left", async () => {
    const dir = directory();
    await put(join(dir, "f"), "x");
    const leftOver = await leaveTemporary(dir);
    // One of this process may be in use; as if another had left it.
    const ofAnother = leftOver.replace(/-[0-9a-f]{8}-/, "-00000000-");
    expect(ofAnother).not.toBe(leftOver);
    renameSync(join(dir, leftOver), join(dir, ofAnother));
    await put(join(dir, "f"), "y");
    expect(readdirSync(dir)).toEqual(["f"]);
  });

  it("of one path many times at once leaves one of them, whole", async () => {
    const dir = directory();
    const contents = Array.from({ length: 8 }, (_, i) => `${i}`.repeat(i % 2 === 0 ? 100 : 100_000));
    await Promise.all(contents.map((content) => put(join(dir, "f"), content)));
    expect(contents).toContain(readFileSync(join(dir, "f"), "utf8"));
    expect(readdirSync(dir)).toEqual(["f"]);
  });

  /** Interrupts a write so that its temporary file stays, as when the host loses power. */
  async function leaveTemporary(dir: string): Promise<string> {
    const own = createSessionPool();
    const asked = own.session(resolveLogin(demo.host.login));
    // A chown that kills its shell: no trap runs.
    writeFileSync(join(demo.host.root, "bin/chmod"), "#!/bin/sh\nkill -9 $PPID\n", { mode: 0o755 });
    await asked.put({ path: join(dir, "f"), content: Buffer.from("y"), follow: true }).catch(() => {});
    execFileSync("rm", [join(demo.host.root, "bin/chmod")]);
    await own.close();
    const leftOver = readdirSync(dir).find((name) => name.startsWith(".conn3x-"))!;
    await expect.poll(() => existsSync(`/proc/${leftOver.split("-").at(-1)}`)).toBe(false);
    return leftOver;
  }

  it("is refused when the bytes on the host are others", async () => {
    const dir = directory();
    writeFileSync(join(dir, "f"), "old");
    writeFileSync(join(demo.host.root, "bin/cat"), '#!/bin/sh\n/bin/cat "$@" | tr n m\n', { mode: 0o755 });
    try {
      for (const content of ["new", "new".repeat(30_000)]) {
        expect((await refused(put(join(dir, "f"), content))).message).toContain(
          "not the ones that were sent",
        );
      }
      writeFileSync(join(demo.host.root, "bin/cat"), "#!/bin/sh\nhead -c 2\n", { mode: 0o755 });
      expect((await refused(put(join(dir, "f"), "new"))).message).toContain("not the ones that were sent");
    } finally {
      execFileSync("rm", [join(demo.host.root, "bin/cat")]);
    }
    expect(readFileSync(join(dir, "f"), "utf8")).toBe("old");
    expect(readdirSync(dir)).toEqual(["f"]);
  });

  it.runIf(!isRoot)("is refused where the user has no right", async () => {
    const dir = directory();
    chmodSync(dir, 0o555);
    expect((await refused(put(join(dir, "f"), "x"))).message).toContain("Permission denied");
  });

  it.each(["sha256sum", "shasum", "openssl"])("needs no other tool for SHA-256 than %s", async (tool) => {
    const bare = await startBareHost(["cat", "chmod", "dd", "mv", "rm", "stat", "wc", tool]);
    const own = createSessionPool();
    const path = join(bare.root, "f");
    const asked = own.session(resolveLogin(bare.login));
    for (const content of ["small", "large".repeat(20_000)]) {
      await asked.put({ path, content: Buffer.from(content), follow: true });
      expect(readFileSync(path, "utf8")).toBe(content);
    }
    await own.close();
    await bare.close();
  });

  it("says so where the host has no tool for SHA-256", async () => {
    const bare = await startBareHost(["cat", "chmod", "dd", "mv", "rm", "stat", "wc"]);
    const own = createSessionPool();
    const work = own
      .session(resolveLogin(bare.login))
      .put({ path: join(bare.root, "f"), content: Buffer.from("x"), follow: true });
    expect((await refused(work)).message).toContain("none of sha256sum, shasum, openssl");
    await own.close();
    await bare.close();
  });
});
