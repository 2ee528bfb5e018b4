import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lchownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { PlainObject } from "../../values/plain.ts";
import type { PathFacts } from "../paths/path-facts.ts";
import { directoryKind } from "./directory.ts";
import { parseNames } from "./listed-names.ts";
import { findOthers, setAll } from "./recurse.ts";

let root: string;
let tree: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "conn3x-recurse-"));
  tree = join(root, "it's a tree");
  mkdirSync(join(tree, "sub/deep"), { recursive: true });
  writeFileSync(join(root, "outside"), "");
  writeFileSync(join(tree, "text"), "");
  writeFileSync(join(tree, "sub/-run"), "");
  symlinkSync("../outside", join(tree, "link"));
  for (const [name, mode] of Object.entries({
    "": 0o755,
    sub: 0o700,
    "sub/deep": 0o2777,
    text: 0o4666,
    "sub/-run": 0o711,
  })) {
    chmodSync(join(tree, name), mode);
  }
  chmodSync(join(root, "outside"), 0o600);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const want = (settings: PlainObject): PlainObject => ({
  path: tree,
  mode: null,
  owner: null,
  group: null,
  recurse: true,
  on_remove: null,
  hands_on: ["owner", "group", "mode"].filter((name) => typeof settings[name] === "string"),
  managed: null,
  keep: null,
  ...settings,
});
const mode = (name: string) => (lstatSync(join(tree, name)).mode & 0o7777).toString(8);
const shells = [["/bin/sh"], ["/bin/bash", "--posix"], ["busybox", "sh"]].filter(
  ([program]) => spawnSync("sh", ["-c", `command -v ${program}`]).status === 0,
);

describe.each(shells)("with %s", (program, ...args) => {
  const run = (text: string) => {
    const { status, stdout, stderr } = spawnSync(program!, args, { input: text, encoding: "utf8" });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    return stdout;
  };
  const others = (object: PlainObject) => parseNames(Buffer.from(run(findOthers(object).text)));

  test("a mode holds for directories, and for files without what makes them run", () => {
    const object = want({ mode: "2750" });
    expect(others(object)).toEqual(["sub", "sub/-run", "sub/deep", "text"]);
    run(setAll(object).text);
    expect(["", "sub", "sub/deep", "text", "sub/-run"].map(mode)).toEqual([
      "755",
      "2750",
      "2750",
      "640",
      "750",
    ]);
    expect((lstatSync(join(root, "outside")).mode & 0o777).toString(8)).toBe("600");
    expect(others(object)).toEqual([]);
    chmodSync(join(tree, "sub/-run"), 0o640);
    expect(others(object)).toEqual([]);
    chmodSync(join(tree, "text"), 0o644);
    expect(others(object)).toEqual(["text"]);
  });

  test.runIf(process.getuid?.() === 0)("an owner and a group hold for links themselves", () => {
    const object = want({ owner: "65534", group: "4711" });
    run(setAll(object).text);
    for (const name of ["sub/deep", "sub/-run", "link"]) {
      expect(lstatSync(join(tree, name))).toMatchObject({ uid: 65534, gid: 4711 });
    }
    expect(lstatSync(join(root, "outside"))).toMatchObject({ uid: 0, gid: 0 });
    expect(others(object)).toEqual([]);
  });

  test.runIf(process.getuid?.() === 0)("a hard link of a file elsewhere is named, and not touched", () => {
    chmodSync(tree, 0o777);
    linkSync(join(root, "outside"), join(tree, "another"));
    const { status, stderr } = spawnSync(program!, args, {
      input: setAll(want({ owner: "65534" })).text,
      encoding: "utf8",
    });
    expect(status).not.toBe(0);
    expect(stderr).toContain(`${tree}/another is another name (a hard link) of a file elsewhere`);
    expect(lstatSync(join(root, "outside")).uid).toBe(0);
  });

  test.runIf(process.getuid?.() === 0)("what is mounted in it is left alone", (context) => {
    if (spawnSync("mount", ["-t", "tmpfs", "-o", "mode=711", "none", join(tree, "sub/deep")]).status !== 0)
      context.skip();
    try {
      run(setAll(want({ mode: "0750", owner: "65534" })).text);
      expect(lstatSync(join(tree, "sub")).uid).toBe(65534);
      writeFileSync(join(tree, "sub/deep/theirs"), "");
      run(setAll(want({ mode: "0700", owner: "65534" })).text);
      expect(lstatSync(join(tree, "sub/deep/theirs")).uid).toBe(0);
    } finally {
      spawnSync("umount", [join(tree, "sub/deep")]);
    }
  });
});

describe("the kind", () => {
  const facts = {
    kind: "directory",
    link: false,
    mode: 0o755,
    uid: 0,
    gid: 0,
    size: 0,
    names: 2,
    owner: "root",
    group: "root",
  } as const satisfies PathFacts;
  const object = { ...want({ mode: "0755" }), path: "/srv/tree" };

  test("looks into it only where that is asked for", () => {
    expect(directoryKind.closer?.ask(facts, object, "refresh")).toMatchObject({ ask: "slow" });
    expect(directoryKind.closer?.ask(facts, object, "plan_check")).toMatchObject({ ask: "slow" });
    expect(directoryKind.closer?.ask(facts, { ...object, recurse: null }, "refresh")).toBe(undefined);
    expect(directoryKind.closer?.ask({ ...facts, kind: "file" }, object, "refresh")).toBe(undefined);
  });

  test("shows drift in it, and puts it back", () => {
    const closer = () => {
      const question = directoryKind.closer!.ask(facts, want({ mode: "0755" }), "refresh");
      if (question?.ask !== "slow") throw new Error("nothing is asked");
      const stdout = spawnSync("/bin/sh", { input: question.script.text }).stdout;
      return directoryKind.closer!.parse({ status: 0, stdout, stderr: Buffer.alloc(0) }, facts);
    };
    const other = closer();
    spawnSync("/bin/sh", { input: setAll(want({ mode: "0755" })).text });
    const uniform = closer();
    expect(directoryKind.observe(uniform, object)).toMatchObject({ differing: [] });
    expect(directoryKind.observe(other, object)).toMatchObject({
      differing: ["sub", "sub/-run", "sub/deep", "text"],
      mode: "0755",
    });
    expect(directoryKind.operate(object, { state: "present", facts: uniform })).toEqual([]);
    expect(directoryKind.operate(object, { state: "present", facts: other })).toMatchObject([
      { own: true, purpose: `set owner and mode of what is in /srv/tree` },
    ]);
  });

  test("needs something to set", () => {
    expect(directoryKind.check?.(want({}))).toHaveLength(1);
    expect(directoryKind.check?.(want({ owner: "root" }))).toEqual([]);
    expect(directoryKind.check?.(want({ recurse: null }))).toEqual([]);
  });
});

describe.runIf(process.getuid?.() === 0).each(shells)("what belongs to whom, with %s", (program, ...args) => {
  const [user, other] = [65533, 65532];
  const set = (settings: PlainObject) =>
    spawnSync(program!, args, { input: setAll(want(settings)).text, encoding: "utf8" });
  const all = ["sub", "sub/deep", "sub/-run", "text", "link"];
  const owners = () => [...new Set(all.map((name) => lstatSync(join(tree, name)).uid))];
  const given = (uid: number, ...names: string[]) => {
    chmodSync(root, 0o755);
    for (const name of names) lchownSync(join(tree, name), uid, uid);
  };

  test("a tree of root's is given away, opened to all at once, and can be finished when that was interrupted", () => {
    chmodSync(root, 0o755);
    chmodSync(join(tree, "text"), 0o600);
    const wanted = { owner: String(user), group: String(user), mode: "0750" };
    // Interrupted: what is in the last directory is done, and that itself.
    given(user, "sub/deep", "sub/-run", "sub");
    expect(set(wanted)).toMatchObject({ status: 0, stderr: "" });
    expect([owners(), mode("text"), mode("sub")]).toEqual([[user], "640", "750"]);
    given(user, "");
    expect(set({ ...wanted, mode: "0755" })).toMatchObject({ status: 0, stderr: "" });
    expect(mode("text")).toBe("644");
  });

  test.each([
    ["another user", other],
    ["root", 0],
  ])("a tree of a user's is given to %s, and opened", (_, next) => {
    chmodSync(join(tree, "text"), 0o600);
    given(user, "", ...all);
    expect(set({ owner: String(next), mode: "0755" })).toMatchObject({ status: 0, stderr: "" });
    expect([owners(), mode("text"), mode("sub/deep")]).toEqual([[next], "644", "755"]);
  });

  test.each([
    ["a file", { owner: String(user) }, "moved", 0o600],
    ["a file, by its mode", { mode: "0755" }, "moved", 0o600],
    ["what is in a directory", { owner: String(user) }, "sub/moved", 0o600],
    ["what is in a directory that only root may enter", { owner: String(user) }, "sub/moved", 0o644],
  ])(
    "%s of root's that its owner may not read stays root's in a user's tree: all else is done",
    (_, settings, name, bits) => {
      rmSync(join(tree, "sub/deep"), { recursive: true });
      writeFileSync(join(tree, name), "secret");
      chmodSync(join(tree, name), bits);
      chmodSync(join(tree, "sub"), bits === 0o644 ? 0o700 : 0o755);
      chmodSync(join(tree, "text"), 0o644);
      given(user, "");
      const { status, stderr } = set(settings);
      expect(status).not.toBe(0);
      expect(stderr).toContain(`${tree}/${name} belongs to user 0, and not everybody may read it`);
      expect(stderr).toContain("Set its owner and mode by hand, remove it, or name it in keep.");
      expect([lstatSync(join(tree, name)).uid, mode(name)]).toEqual([0, bits.toString(8)]);
      if ("owner" in settings) expect(lstatSync(join(tree, "text")).uid).toBe(user);
    },
  );

  test("what everybody may read already is given away, and what is made narrower is", () => {
    given(user, "");
    for (const name of ["text", "sub/-run"]) chmodSync(join(tree, name), 0o644);
    for (const name of ["sub", "sub/deep"]) chmodSync(join(tree, name), 0o755);
    expect(set({ owner: String(user) })).toMatchObject({ status: 0, stderr: "" });
    expect(owners()).toEqual([user]);
    given(0, ...all);
    chmodSync(join(tree, "text"), 0o640);
    expect(set({ owner: "root", mode: "0700" })).toMatchObject({ status: 0, stderr: "" });
    expect([owners(), mode("text"), mode("sub")]).toEqual([[0], "600", "700"]);
  });

  test("what a recursion leaves behind that is killed is taken away by the next", () => {
    rmSync(join(tree, "sub/deep"), { recursive: true });
    given(user, "", "sub", "sub/-run", "text", "link");
    const bin = join(root, "bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "chown"), "#!/bin/sh\nkill -9 0\n", { mode: 0o755 });
    const killed = spawnSync("setsid", [program!, ...args], {
      input: setAll(want({ owner: String(other) })).text,
      env: { ...process.env, PATH: `${bin}:${process.env.PATH}` },
    });
    expect(killed.signal).toBe("SIGKILL");
    const left = () =>
      ["", "sub"].flatMap((name) =>
        readdirSync(join(tree, name)).filter((one) => one.startsWith(".conn3x-")),
      );
    expect(left()).toHaveLength(1);
    // The system may take a moment to forget a process.
    const writer = `/proc/${left()[0]!.split("-").at(-1)}`;
    for (let i = 0; i < 100 && existsSync(writer); i++) spawnSync("sleep", ["0.1"]);
    // Another of root's that has such a name is left as it is.
    const theirs = ".conn3x-0123456789ab-01234567-01234567-999999999";
    mkdirSync(join(tree, theirs), { mode: 0o700 });
    writeFileSync(join(tree, theirs, "secret"), "");
    spawnSync("touch", ["-d", "1 hour ago", join(tree, theirs)]);
    expect(set({ owner: String(other) })).toMatchObject({ status: 0, stderr: "" });
    expect(left()).toEqual([theirs]);
    expect(["sub", "sub/-run", "text"].map((name) => lstatSync(join(tree, name)).nlink)).toEqual([2, 1, 1]);
    expect(lstatSync(join(tree, "sub/-run")).uid).toBe(other);
    expect(lstatSync(join(tree, theirs, "secret")).uid).toBe(0);
  });
});
