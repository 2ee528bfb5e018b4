import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Show, showValues } from "../../schema/schema.ts";
import type { PlainObject } from "../../values/plain.ts";
import { AnswerError } from "../kind.ts";
import { largestContent } from "../paths/file-contents.ts";
import type { PathSubject } from "../paths/subject.ts";
import { lineKind } from "./line.ts";

const want = (settings: PlainObject): PlainObject => ({
  path: "/etc/conf",
  line: null,
  regexp: null,
  backrefs: null,
  insert_after: null,
  insert_before: null,
  state: null,
  create: null,
  validate: null,
  backup: null,
  on_remove: null,
  ...settings,
});
const file = (content: string | undefined, names = 1) =>
  ({
    state: "present",
    facts:
      content === undefined
        ? { content: undefined }
        : { content: Buffer.from(content), file: { names, mode: 0o644 } },
  }) as const;

describe("facts", () => {
  let root: string;
  const names = ["text", "binary", "empty", "large", "missing", "dir", "fifo", "link", "dangling"];
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), "conn3x-line-"));
    writeFileSync(join(root, "text"), "a\nb");
    writeFileSync(join(root, "binary"), Buffer.from([0, 10, 255, 10]));
    writeFileSync(join(root, "empty"), "");
    writeFileSync(join(root, "large"), Buffer.alloc(largestContent + 1));
    execFileSync("mkdir", [join(root, "dir")]);
    execFileSync("mkfifo", [join(root, "fifo")]);
    symlinkSync("text", join(root, "link"));
    symlinkSync("nowhere", join(root, "dangling"));
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  const shells = [["/bin/sh"], ["/bin/bash", "--posix"], ["busybox", "sh"]].filter(
    ([program]) => spawnSync("sh", ["-c", `command -v ${program}`]).status === 0,
  );
  test.each(shells)("with %s", (program, ...args) => {
    const paths = names.map((name): PathSubject => [join(root, name), true]);
    const { stdout, stderr } = spawnSync(program!, args, {
      input: lineKind.facts.ask(paths).text,
      maxBuffer: 2 * largestContent,
    });
    expect(stderr.toString()).toBe("");
    expect(lineKind.facts.parse(stdout, paths)).toEqual([
      file("a\nb"),
      {
        state: "present",
        facts: { content: Buffer.from([0, 10, 255, 10]), file: { names: 1, mode: 0o644 } },
      },
      file(""),
      { state: "unreadable", why: `has more than ${largestContent} bytes` },
      file(undefined),
      { state: "unreadable", why: "is no regular file" },
      { state: "unreadable", why: "is no regular file" },
      { ...file("a\nb"), realNames: { [join(root, "link")]: join(root, "text") } },
      { ...file(undefined), realNames: { [join(root, "dangling")]: join(root, "nowhere") } },
    ]);
    expect(() => lineKind.facts.parse(stdout.subarray(0, -1), paths)).toThrow(AnswerError);
  });
});

describe("a plan tells", () => {
  const reported = (settings: PlainObject, content: string, mode = 0o644) => {
    const found = file(content);
    if (found.state !== "present") throw new Error("is there");
    const facts = { ...found.facts, file: { names: 1, mode } };
    return (lineKind.planCheck?.(want(settings), { state: "present", facts }) ?? []).map(
      ({ severity, summary, detail }) => [severity, summary, detail],
    );
  };

  test("the lines that go", () => {
    expect(reported({ regexp: "^a", state: "absent" }, "a1\nb\na 2\n")).toEqual([
      ["warning", "Lines are removed", 'On the host, 2 lines are removed from /etc/conf:\n  "a1"\n  "a 2"'],
    ]);
    expect(reported({ regexp: "^a", line: "a=2" }, "a=1\nb\n")).toEqual([
      ["warning", "Line is replaced", 'On the host, a line is replaced in /etc/conf:\n  "a=1"'],
    ]);
    expect(reported({ regexp: "^a", line: "a=1" }, "a=1\nb\n")).toEqual([]);
    expect(reported({ line: "c" }, "a\n")).toEqual([]);
  });

  test("no line of a file that only its owner may read, and of many the first", () => {
    expect(reported({ regexp: "^a", state: "absent" }, "a SECRET\n", 0o600)).toEqual([
      ["warning", "Lines are removed", "On the host, a line is removed from /etc/conf."],
    ]);
    const [[, , detail = ""] = []] = reported({ regexp: "^a", state: "absent" }, "a\n".repeat(30));
    expect(detail.split("\n")).toHaveLength(12);
    expect(detail).toContain("(and 20 more)");
  });

  test.each(["insert_before", "insert_after"])("that %s matches nothing", (name) => {
    const warned = [["warning", "No line to insert at", expect.stringContaining(name)]];
    expect(reported({ line: "c", [name]: "^Match" }, "a\n")).toEqual(warned);
    expect(reported({ line: "c", [name]: "^a" }, "a\n")).toEqual([]);
    expect(reported({ line: "a", [name]: "^Match" }, "a\n")).toEqual([]);
    expect(reported({ line: "c", [name]: name === "insert_before" ? "BOF" : "EOF" }, "a\n")).toEqual([]);
  });
});

describe("a file with other names", () => {
  const linked = file("a\n", 2);

  test("is told of while planning, where the line is to be written", () => {
    expect(lineKind.planCheck?.(want({ line: "b" }), linked)).toMatchObject([
      { severity: "warning", detail: expect.stringContaining("2 hard links") },
    ]);
    expect(lineKind.planCheck?.(want({ line: "a" }), linked)).toEqual([]);
    expect(lineKind.planCheck?.(want({ line: "b", unsafe_write: true }), linked)).toEqual([]);
  });

  test("is written over where that is asked for", () => {
    expect(lineKind.operate(want({ line: "b", unsafe_write: true }), linked)).toMatchObject([
      { inPlace: true },
    ]);
  });
});

describe("operate", () => {
  test("does nothing when the line is there", () => {
    expect(lineKind.operate(want({ line: "a" }), file("a\n"))).toEqual([]);
  });

  test("writes the whole file, through a link, checked and kept as asked for", () => {
    const careful = want({ line: "b", follow: true, validate: "sshd -tf %s", backup: true });
    expect(lineKind.operate(careful, file("a\n"))).toEqual([
      {
        do: "put",
        path: "/etc/conf",
        content: Buffer.from("a\nb\n"),
        follow: true,
        validate: "sshd -tf %s",
        backup: true,
      },
    ]);
  });

  test("makes a missing file only when told to", () => {
    expect(lineKind.operate(want({ line: "a" }), file(undefined))).toMatchObject([{ do: "refuse" }]);
    expect(lineKind.planCheck?.(want({ line: "a" }), file(undefined))).toMatchObject([{ severity: "error" }]);
    const create = want({ line: "a", create: true });
    expect(lineKind.operate(create, file(undefined))).toMatchObject([{ content: Buffer.from("a\n") }]);
    expect(lineKind.planCheck?.(create, file(undefined))).toEqual([]);
  });

  test("a missing file has no unwanted line", () => {
    const absent = want({ line: "a", state: "absent" });
    expect(lineKind.operate(absent, file(undefined))).toEqual([]);
    expect(lineKind.isOurs?.({ content: undefined }, absent)).toBe(true);
    expect(lineKind.planCheck?.(absent, file(undefined))).toEqual([]);
  });

  test("an edited line takes the place of the one before", () => {
    const operations = lineKind.operate(want({ line: "new" }), file("old\nz\n"), want({ line: "old" }));
    expect(operations).toMatchObject([{ content: Buffer.from("new\nz\n") }]);
  });
});

describe("observe", () => {
  test("shows what stands in the line's place", () => {
    const object = want({ regexp: "^x=", line: "x=1" });
    expect(lineKind.observe({ content: Buffer.from("x=2\n") }, object)).toEqual({ ...object, line: "x=2" });
    expect(lineKind.observe({ content: Buffer.from("x=1\n") }, object)).toEqual(object);
  });
  test("shows that an unwanted line is there", () => {
    const object = want({ regexp: "^x=", state: "absent" });
    expect(lineKind.observe({ content: Buffer.from("x=2\n") }, object)).toMatchObject({ state: "present" });
  });
});

test("removal takes away exactly the line that was put there", () => {
  const prior = want({ regexp: "^x=", line: "x=1", validate: "false %s" });
  expect(lineKind.remove(prior, file("x=0\nx=1\n"))).toEqual([
    { do: "put", path: "/etc/conf", content: Buffer.from("x=0\n"), follow: false },
  ]);
  expect(lineKind.remove(prior, file("x=2\n"))).toEqual([]);
  expect(lineKind.remove(prior, file(undefined))).toEqual([]);
});

describe("a file that was made for the line", () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "conn3x-line-"));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  test("is one that was missing", () => {
    expect(lineKind.makesHolder?.(file(undefined))).toBe(true);
    expect(lineKind.makesHolder?.(file(""))).toBe(false);
    expect(lineKind.makesHolder?.({ state: "unreadable", why: "" })).toBe(false);
  });

  test("goes with its last line, behind a link too, unless somebody wrote into it", () => {
    const remove = (path: string, content: string, made: boolean) =>
      lineKind.remove(want({ path, line: "a", follow: true }), file(content), made).flatMap((operation) => {
        if (operation.do === "put") writeFileSync(operation.path, operation.content as Buffer);
        if (operation.do !== "script") return [];
        return [spawnSync("/bin/sh", [], { input: operation.script.text }).status];
      });
    symlinkSync("target", join(root, "link"));
    for (const name of ["plain", "link"]) {
      expect(remove(join(root, name), "a\n", true)).toEqual([0]);
      expect(readdirSync(root)).toEqual(["link"]);
    }
    for (const [content, made] of [
      ["a\nb\n", true],
      ["a\n", false],
    ] as const) {
      expect(remove(join(root, "plain"), content, made)).toEqual([]);
      expect(readdirSync(root)).toEqual(["link", "plain"]);
    }
    const [, removal] = lineKind.remove(want({ path: join(root, "plain"), line: "a" }), file("a\n"), true);
    if (removal?.do !== "script") throw new Error("not a script");
    writeFileSync(join(root, "plain"), "written meanwhile");
    expect(spawnSync("/bin/sh", [], { input: removal.script.text }).status).toBe(0);
    expect(readdirSync(root)).toEqual(["link", "plain"]);
  });
});

describe("regular expressions", () => {
  test.each(["(", "a(?=b)", "(?<!a)b", "(a)\\1"])("%s is refused, as by the language", (regexp) => {
    const { regexp: setting, insert_after: place } = lineKind.schema.attributes;
    for (const { check } of [setting, place] as {
      check?: (value: string, show: Show) => string | undefined;
    }[]) {
      expect(check?.(regexp, showValues)).toMatch(/^must be a regular expression: ./);
    }
  });
  test.each(["\\x{41}", "[[:alpha:]]", "(?P<a>x)", "(?<a>x)", "\\pL"])("%s is one", (regexp) => {
    expect(lineKind.schema.attributes.regexp?.check?.(regexp, showValues)).toBe(undefined);
  });
});

describe("check", () => {
  test.each<[string, PlainObject]>([
    ["Missing line", {}],
    ["Missing line", { regexp: "^a" }],
    ["References without groups", { line: "\\1", backrefs: true }],
    ["Reference to a group that does not exist", { line: "\\2", regexp: "(a)", backrefs: true }],
    ["Reference to a group that does not exist", { line: "\\g<b>", regexp: "(?<a>a)", backrefs: true }],
  ])("%s: %j", (summary, settings) => {
    expect(lineKind.check?.(want(settings))).toMatchObject([{ summary }]);
  });
  test.each<PlainObject>([
    { regexp: "", state: "absent" },
    { regexp: ".*", state: "absent" },
    { regexp: "^", line: "a" },
  ])("an expression that matches each line is refused: %j", (settings) => {
    expect(lineKind.check?.(want(settings))).toMatchObject([
      { severity: "error", summary: "regexp matches each line" },
    ]);
  });
  test("an expression that does not find the line that it puts is warned of", () => {
    const warned = [{ severity: "warning", summary: "regexp does not match the line itself" }];
    expect(lineKind.check?.(want({ line: "b=1", regexp: "^a=" }))).toMatchObject(warned);
    expect(lineKind.check?.(want({ line: "b=1", regexp: "^a=", state: "present" }))).toMatchObject(warned);
    expect(lineKind.check?.(want({ line: "a=1", regexp: "^#?a=" }))).toEqual([]);
    expect(lineKind.check?.(want({ line: "b=1", regexp: "^a=", state: "absent" }))).toEqual([]);
    expect(lineKind.check?.(want({ line: "b\\1", regexp: "^(a)", backrefs: true }))).toEqual([]);
  });
  test.each<PlainObject>([
    { line: "a" },
    { regexp: "^a", state: "absent" },
    { line: "\\1\\g<1>\\\\", regexp: "(a)", backrefs: true },
  ])("fine: %j", (settings) => {
    expect(lineKind.check?.(want(settings))).toEqual([]);
  });
  test.each([
    ["regexp", "(a"],
    ["line", "a\nb"],
    ["insert_after", "*"],
  ])("%s cannot be %j", (name, value) => {
    expect(lineKind.schema.attributes[name]?.check?.(value, showValues)).toEqual(expect.any(String));
  });
  test("BOF and EOF are places", () => {
    expect(lineKind.schema.attributes.insert_before?.check?.("BOF", showValues)).toBeUndefined();
  });
});
