import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { showValues } from "../../schema/schema.ts";
import { at } from "../../values/path.ts";
import type { PlainObject } from "../../values/plain.ts";
import type { Found } from "../kind.ts";
import { keptAnswer } from "../operation.ts";
import type { PathFacts } from "../paths/path-facts.ts";
import type { FileFacts } from "./facts.ts";
import { fileKind } from "./file.ts";

/** `printf 'hello\n' | sha256sum` */
const hello = "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03";
const want: PlainObject = {
  path: "/etc/app/config",
  content: "hello\n",
  content_base64: null,
  source: null,
  secret_content: null,
  mode: null,
  owner: null,
  group: null,
  sha256: hello,
  secret_intact: null,
  on_remove: null,
};
const facts: PathFacts = {
  kind: "file",
  link: false,
  mode: 0o644,
  uid: 0,
  gid: 2015,
  size: 6,
  names: 1,
  owner: "root",
  group: "UNKNOWN",
  sha256: hello,
};
const present = (changes: Partial<PathFacts> = {}): Found<FileFacts> => ({
  state: "present",
  facts: { ...facts, ...changes },
});
const other = { sha256: "0".repeat(64) };

describe("operate", () => {
  test("does nothing when everything is as wanted", () => {
    expect(fileKind.operate({ ...want, mode: "644", owner: "0", group: "2015" }, present())).toEqual([]);
  });

  test("makes missing parents and puts the file", () => {
    const operations = fileKind.operate({ ...want, mode: "0600", owner: "app" }, { state: "absent" });
    expect(operations).toMatchObject([
      {
        do: "put",
        path: "/etc/app/config",
        content: Buffer.from("hello\n"),
        parents: true,
        mode: 0o600,
        owner: "app",
      },
    ]);
    expect(operations[0]).not.toHaveProperty("group");
  });

  test("puts the whole file when the content differs, keeping what is not set", () => {
    const [put, ...more] = fileKind.operate(want, present(other));
    expect(put).toMatchObject({ do: "put", content: Buffer.from("hello\n") });
    expect(put).not.toHaveProperty("mode");
    expect(put).not.toHaveProperty("parents");
    expect(more).toEqual([]);
  });

  test.each([
    [{ mode: "0600" }, "chmod -- 00600 /etc/app/config"],
    [{ owner: "app" }, "chown -- app /etc/app/config"],
    [{ group: "domain users" }, "chgrp -- 'domain users' /etc/app/config"],
    [
      { owner: "app", group: "app", mode: "0644" },
      "chown -- app:app /etc/app/config && chmod -- 00644 /etc/app/config",
    ],
  ])("sets only what differs: %j", (settings, text) => {
    expect(fileKind.operate({ ...want, ...settings }, present())).toMatchObject([
      { script: { text: expect.stringMatching(new RegExp(`(^|\n)${text}(\n|$)`)) } },
    ]);
  });

  test("set-id bits that a new owner or group takes away are set again, unless a mode is asked for", () => {
    const changes = (settings: PlainObject, mode: number) =>
      fileKind.operate({ ...want, ...settings }, present({ mode })).map((operation) => {
        if (operation.do !== "script") throw new Error("not a script");
        return operation.script.text.split("\n").filter((line) => /^ch(own|grp|mod)/.test(line));
      });
    expect(changes({ group: "app" }, 0o4755)).toEqual([
      ["chgrp -- app /etc/app/config && chmod -- 04755 /etc/app/config"],
    ]);
    expect(changes({ owner: "app" }, 0o2755)).toEqual([
      ["chown -- app /etc/app/config && chmod -- 02755 /etc/app/config"],
    ]);
    expect(changes({ owner: "app", mode: "0755" }, 0o4755)).toEqual([
      ["chown -- app /etc/app/config && chmod -- 00755 /etc/app/config"],
    ]);
  });

  test("where others can change names, a new file is given away and never what has the name", () => {
    const shared = present({ shared: true });
    expect(fileKind.operate({ ...want, owner: "app" }, shared)).toMatchObject([{ do: "put", owner: "app" }]);
    expect(fileKind.operate(want, shared)).toEqual([]);
    const unowned = { ...want, content: null, sha256: null };
    expect(fileKind.operate({ ...unowned, owner: "app" }, shared)).toMatchObject([{ do: "refuse" }]);
    expect(fileKind.planCheck?.({ ...want, sha256: "other", unsafe_write: true }, shared)).toMatchObject([
      { severity: "error", summary: "File cannot be written over safely" },
    ]);
  });

  test("refuses to put a file where something else is", () => {
    expect(fileKind.operate(want, present({ kind: "directory" }))).toMatchObject([{ do: "refuse" }]);
    expect(fileKind.operate(want, { state: "unreadable", why: "is hidden" })).toMatchObject([
      { do: "refuse" },
    ]);
  });

  test("what is in the way is seen while planning", () => {
    const attribute = at("path");
    const isDirectory = expect.stringContaining("/etc/app/config is a directory");
    expect(fileKind.planCheck?.(want, present({ kind: "directory" }))).toMatchObject([
      { severity: "warning", attribute, detail: isDirectory },
    ]);
    expect(
      fileKind.planCheck?.({ ...want, follow: true }, present({ kind: "other", link: true })),
    ).toHaveLength(1);
    const replaced = { ...want, follow: false };
    expect(fileKind.planCheck?.(replaced, present({ kind: "directory", link: true }))).toEqual([]);
    expect(fileKind.planCheck?.(replaced, present({ kind: "directory" }))).toHaveLength(1);
    expect(fileKind.planCheck?.(want, present())).toEqual([]);
    expect(fileKind.planCheck?.(want, { state: "absent" })).toEqual([]);
  });

  test("other names of a file are told while planning, where a new file takes the place of one", () => {
    const linked = present({ ...other, names: 3 });
    expect(fileKind.planCheck?.(want, linked)).toMatchObject([
      { severity: "warning", detail: expect.stringContaining("one of 3 hard links") },
    ]);
    expect(fileKind.planCheck?.({ ...want, unsafe_write: true }, linked)).toEqual([]);
    expect(fileKind.planCheck?.(want, present({ names: 3 }))).toEqual([]);
    expect(fileKind.operate({ ...want, unsafe_write: true }, linked)).toMatchObject([{ inPlace: true }]);
    expect(fileKind.operate(want, linked)[0]).not.toHaveProperty("inPlace");
  });

  test.each([
    ["followed where that is asked for", true, true],
    ["replaced", false, false],
    ["replaced by default", null, false],
  ])("a link that leads nowhere is %s", (_, follow, follows) => {
    const dangling: Found<FileFacts> = { state: "present", facts: { kind: "dangling", link: true } };
    expect(fileKind.operate({ ...want, follow }, dangling)).toMatchObject([{ do: "put", follow: follows }]);
  });

  test("a link to a file with the wanted content is as wanted where links are followed", () => {
    const following = { ...want, follow: true };
    expect(fileKind.operate(following, present({ link: true }))).toEqual([]);
    expect(fileKind.isOurs?.({ ...facts, link: true }, following)).toBe(true);
    for (const follow of [false, null]) {
      expect(fileKind.operate({ ...want, follow }, present({ link: true }))).toMatchObject([
        { do: "put", follow: false },
      ]);
      expect(fileKind.isOurs?.({ ...facts, link: true }, { ...want, follow })).toBe(false);
    }
  });

  test("a local file is named, with the hash that was planned with", () => {
    const fromSource = { ...want, content: null, source: "conf/app.conf" };
    expect(fileKind.operate(fromSource, present())).toEqual([]);
    expect(fileKind.operate(fromSource, present(other))).toMatchObject([
      { do: "put", content: { localPath: "conf/app.conf", sha256: hello } },
    ]);
  });

  test("hands on how the new file is checked and the old one kept", () => {
    const careful = { ...want, validate: "visudo -cf %s", backup: true };
    expect(fileKind.operate(careful, present(other))).toMatchObject([
      { do: "put", validate: "visudo -cf %s", backup: true },
    ]);
  });

  test("writes base64 as the bytes it stands for", () => {
    const binary = { ...want, content: null, content_base64: "AP8K" };
    expect(fileKind.operate(binary, { state: "absent" })[0]).toMatchObject({
      content: Buffer.from([0, 255, 10]),
    });
  });
});

describe("observe", () => {
  test("keeps the stored spelling of what is the same", () => {
    const stored = { ...want, mode: "644", owner: "0", group: "2015" };
    expect(fileKind.observe(facts, stored)).toEqual(stored);
  });

  test("spells what it finds: a mode in four digits, a number that has no name", () => {
    expect(fileKind.observe(facts, want)).toMatchObject({ mode: "0644", owner: "root", group: "2015" });
  });

  test("shows other content in the form that is stored", () => {
    const changed = { ...facts, ...other, content: Buffer.from("by hand") };
    expect(fileKind.observe(changed, want)).toMatchObject({ content: "by hand", sha256: other.sha256 });
    const binary = { ...want, content: null, content_base64: "AA==" };
    expect(fileKind.observe(changed, binary)).toMatchObject({
      content: null,
      content_base64: "YnkgaGFuZA==",
    });
  });

  test("a large file that differs is told by its hash alone", () => {
    const large = { ...facts, ...other, size: 2 ** 31 };
    expect(fileKind.closer?.ask(large, want, "refresh")).toBeUndefined();
    expect(fileKind.closer?.ask({ ...large, size: 9 }, want, "refresh")).toBeDefined();
    expect(fileKind.closer?.ask({ ...large, size: 9 }, want, "act")).toBeUndefined();
    expect(fileKind.observe(large, want)).toMatchObject({
      content: expect.stringContaining("2147483648 bytes"),
      sha256: other.sha256,
    });
  });
});

describe("remove", () => {
  test("removes a file that is there, and nothing else", () => {
    expect(fileKind.remove(want, present())).toMatchObject([
      {
        script: { text: expect.stringMatching(/c3x_at \/etc\/app\/config n .*rm -f -- "\.\/\$c3x_name"$/s) },
      },
    ]);
    expect(fileKind.remove(want, { state: "absent" })).toEqual([]);
    expect(fileKind.remove(want, present({ kind: "directory" }))).toEqual([]);
    expect(fileKind.remove({ ...want, follow: false }, present({ link: true }))).toEqual([]);
  });

  describe("of a file that was written through a link", () => {
    let root: string;
    beforeEach(() => {
      root = mkdtempSync(join(tmpdir(), "conn3x-file-"));
    });
    afterEach(() => rmSync(root, { recursive: true, force: true }));
    const remove = (path: string, changes: Partial<PathFacts> = {}) => {
      const [operation, ...more] = fileKind.remove(
        { ...want, path, follow: true },
        present({ link: true, ...changes }),
      );
      expect(more).toEqual([]);
      if (operation?.do !== "script") throw new Error("not a script");
      return spawnSync("/bin/sh", [], { input: operation.script.text, encoding: "utf8" });
    };

    test("removes what the link leads to, and leaves the link", () => {
      for (const name of ["a b", "end\n", "-f"]) {
        writeFileSync(join(root, name), "hello\n");
        symlinkSync(name, join(root, "link"));
        symlinkSync("link", join(root, "first"));
        expect(remove(join(root, "first"))).toMatchObject({ status: 0, stdout: "", stderr: "" });
        expect(readdirSync(root).sort()).toEqual(["first", "link"]);
        rmSync(join(root, "link"));
        rmSync(join(root, "first"));
      }
    });

    test("leaves a file that Conn3x did not write, and says so", () => {
      writeFileSync(join(root, "theirs"), "other");
      symlinkSync("theirs", join(root, "link"));
      expect(remove(join(root, "link"), other)).toMatchObject({ status: 0, stdout: keptAnswer });
      expect(readdirSync(root).sort()).toEqual(["link", "theirs"]);
    });

    test("refuses where it cannot tell what the link leads to", () => {
      symlinkSync("link", join(root, "link"));
      expect(remove(join(root, "link"))).toMatchObject({
        status: 1,
        stderr: expect.stringContaining("too many levels of symbolic links"),
      });
      mkdirSync(join(root, "now"));
      symlinkSync("now", join(root, "turned"));
      expect(remove(join(root, "turned")).status).toBe(1);
      expect(readdirSync(root).sort()).toEqual(["link", "now", "turned"]);
    });
  });
});

describe("check", () => {
  test("a file needs content", () => {
    expect(fileKind.check?.({ ...want, content: null })).toMatchObject([{ summary: "Missing content" }]);
    expect(fileKind.check?.(want)).toEqual([]);
  });

  test.each([
    ["path", "etc/app"],
    ["path", "/"],
    ["path", "/etc/./app"],
    ["path", "/etc/../app"],
    ["path", "/etc/app/.."],
    ["mode", "u=rw"],
    ["mode", "0888"],
    ["owner", "a:b"],
    ["content_base64", "a b"],
    ["validate", "visudo -c"],
    ["validate", "visudo -cf '%s'"],
    ["validate", "grep 100%%s"],
  ])("%s cannot be %j", (name, value) => {
    expect(fileKind.schema.attributes[name]?.check?.(value, showValues)).toEqual(expect.any(String));
  });
});

describe("a path that ends with a slash", () => {
  // The system makes nothing but a directory there.
  test("is no path of a file", () => {
    const check = fileKind.schema.attributes.path!.check!;
    expect(check("/etc/x/", (words) => words)).toBe(
      'must not end with "/", as "/etc/x/" does: that is a directory',
    );
    expect(check("/etc/x", (words) => words)).toBeUndefined();
  });
});
