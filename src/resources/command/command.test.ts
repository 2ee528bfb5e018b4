import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { showValues } from "../../schema/schema.ts";
import type { PlainObject } from "../../values/plain.ts";
import { AnswerError, type Found } from "../kind.ts";
import type { CommandAnswer } from "../operation.ts";
import { checkCommand } from "./check.ts";
import { commandKind } from "./command.ts";
import type { GuardFacts } from "./guards.ts";
import { commandText, invocation, writtenInvocation } from "./invocation.ts";

const nothing: PlainObject = Object.fromEntries(
  Object.keys(commandKind.schema.attributes).map((name) => [name, null]),
);
const want = (settings: PlainObject): PlainObject => ({ ...nothing, run: "true", ...settings });
const found = (facts: GuardFacts): Found<GuardFacts> => ({ state: "present", facts });
const answer = (status: number, stdout = "", stderr = "") => ({
  status,
  stdout: Buffer.from(stdout),
  stderr: Buffer.from(stderr),
});

describe("operate", () => {
  test.each<[string, PlainObject, GuardFacts, PlainObject | undefined, boolean]>([
    ["a new one", {}, {}, undefined, true],
    ["one that has run", {}, {}, {}, false],
    ["another text", { run: "false" }, {}, {}, true],
    ["another trigger", { triggers: { config: "b" } }, {}, { triggers: { config: "a" } }, true],
    ["the same trigger", { triggers: { config: "a" } }, {}, { triggers: { config: "a" } }, false],
    ["another variable", { environment: { A: "2" } }, {}, { environment: { A: "1" } }, true],
    ["another time limit", { timeout: 9 }, {}, { timeout: 8 }, false],
    ["a new one whose work is there", { creates: "/x" }, { created: true }, undefined, false],
    ["a new one whose work is missing", { creates: "/x" }, { created: false }, undefined, true],
    ["a new one where unless holds", { unless: "u" }, { unless: 0 }, undefined, false],
    ["a new one where unless fails", { unless: "u" }, { unless: 1 }, undefined, true],
    ["a new one that cannot run", { only_if: "o" }, { onlyIf: 3 }, undefined, false],
    ["a trigger, where the work is there", { triggers: { a: "b" } }, { created: true }, {}, false],
  ])("%s", (_, settings, facts, prior, runs) => {
    const before = prior === undefined ? undefined : want(prior);
    expect(commandKind.operate(want(settings), found(facts), before)).toHaveLength(runs ? 1 : 0);
  });

  test("hands on input, time limit and which statuses are fine", () => {
    const settings = { stdin: "in", timeout: 5, success_codes: [0, 2] };
    expect(commandKind.operate(want(settings), found({}))).toMatchObject([
      { do: "command", stdin: Buffer.from("in"), timeout: 5, accept: [0, 2] },
    ]);
  });
});

test("is not run when its guards did not tell", () => {
  const unseen = { state: "unreadable", why: "could not be looked at in time" } as const;
  expect(commandKind.operate(want({ unless: "sleep 9" }), unseen)).toMatchObject([
    { do: "refuse", detail: "On the host, what it depends on could not be looked at in time." },
  ]);
});

describe("isOurs", () => {
  test.each<[string, GuardFacts, PlainObject, boolean]>([
    ["without guards it has run", {}, { ran: true }, true],
    ["its work is there", { created: true }, { ran: true }, true],
    ["its work is gone", { created: false }, { ran: true }, false],
    ["unless does not hold any more", { unless: 1 }, { ran: true }, false],
    ["one of the two is enough", { created: false, unless: 0 }, { ran: true }, true],
    ["it is still not possible", { onlyIf: 1 }, { ran: false }, true],
    ["it has become possible", { onlyIf: 0 }, { ran: false }, false],
    ["it has run, and would be possible again", { onlyIf: 0 }, { ran: true }, true],
  ])("%s", (_, facts, object, isOurs) => {
    expect(commandKind.isOurs?.(facts, want(object))).toBe(isOurs);
  });
});

describe("outcome", () => {
  const outcome = (settings: PlainObject, answers: readonly CommandAnswer[], prior?: PlainObject) =>
    commandKind.outcome?.(want(settings), answers, prior);

  test("what it printed", () => {
    expect(outcome({}, [answer(2, "out\n", "err")])).toEqual({
      attributes: { stdout: "out\n", stderr: "err", exit_code: 2, ran: true },
      changed: true,
    });
  });
  test("nothing of what is sensitive", () => {
    expect(outcome({ sensitive: true }, [answer(0, "out")])?.attributes).toMatchObject({
      stdout: null,
      ran: true,
    });
  });
  test("the end of what is long, masked before it is cut", () => {
    const settings = { secret_environment: { TOKEN: "s3cr3t-token" } };
    // The cut goes through the secret, which leaves its last 6 bytes.
    const long = `s3cr3t-token${"x".repeat(256 * 1024 - 6)}`;
    const stdout = String(outcome(settings, [answer(0, long)])?.attributes.stdout);
    expect(stdout).not.toContain("token");
    expect(Buffer.byteLength(stdout)).toBe(256 * 1024);
    const wide = `é${"x".repeat(256 * 1024 - 1)}`;
    expect(outcome({}, [answer(0, wide)])?.attributes.stdout).toBe("x".repeat(256 * 1024 - 1));
  });
  test("what it printed last, when it was not run", () => {
    const before = want({ stdout: "old", exit_code: 0, ran: true });
    expect(outcome({}, [], before)?.attributes).toMatchObject({ stdout: "old", exit_code: 0, ran: true });
    expect(outcome({}, [])?.attributes).toEqual({ stdout: null, stderr: null, exit_code: null, ran: false });
  });
  test("changed_when says what a change is", () => {
    expect(outcome({ changed_when: "^changed" }, [answer(0, "unchanged\n")])?.changed).toBe(false);
    expect(outcome({ changed_when: "^changed" }, [answer(0, "changed\n")])?.changed).toBe(true);
  });
});

describe("in a shell", () => {
  let root: string;
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), "conn3x-command-"));
    writeFileSync(join(root, "there"), "");
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  const shells = [["/bin/sh"], ["/bin/bash", "--posix"], ["busybox", "sh"]].filter(
    ([program]) => spawnSync("sh", ["-c", `command -v ${program}`]).status === 0,
  );

  describe.each(shells)("%s", (program, ...args) => {
    const run = (script: string, input = "") =>
      spawnSync(program!, [...args, "-c", script], { input, encoding: "utf8" });
    const runs = (settings: PlainObject, input?: string) => {
      const object = want(settings);
      return run(invocation(object, commandText(object)), input).stdout;
    };

    test("variables, directory, input", () => {
      const settings = {
        run: 'printf "%s|" "$A" "$B" "$PWD"; cat',
        environment: { A: "it's $HOME" },
        secret_environment: { B: 'a\nb"' },
        cwd: root,
      };
      expect(runs(settings, "in")).toBe(`it's $HOME|a\nb"|${root}|in`);
    });

    test("a variable without a value is left out", () => {
      const settings = {
        run: 'echo "${A-unset} ${B-unset}"',
        environment: { A: null },
        secret_environment: { B: null },
      };
      expect(runs(settings)).toBe("unset unset\n");
      expect(writtenInvocation(want(settings), "true")).not.toContain("export");
    });

    test("without a directory, at home", () => {
      expect(run(`HOME=${root}\n${invocation(want({ run: "pwd" }), "pwd")}`).stdout).toBe(`${root}\n`);
      expect(run(`HOME=/nowhere\n${invocation(want({ run: "pwd" }), "pwd")}`).stdout).toBe("/\n");
    });

    test("a directory that is missing", () => {
      expect(run(invocation(want({ cwd: "/nowhere" }), "echo ran"))).toMatchObject({
        status: 126,
        stdout: "",
      });
    });

    test("a script for another program", () => {
      expect(runs({ run: null, script: "s/a/b/\ns/b/c/", interpreter: ["cat", "-"] })).toBe(
        "s/a/b/\ns/b/c/\n",
      );
    });

    test("as the user that acts anyway", () => {
      const me = run("id -un").stdout.trim();
      expect(runs({ run: "cat; exit 3", user: me }, "in")).toBe("in");
    });

    test("as a user that does not exist", () => {
      const { status, stdout } = run(invocation(want({ user: "nobody-at-all" }), "echo ran"));
      expect({ status, stdout }).toEqual({ status: 126, stdout: "" });
    });

    test("what it creates, in one question", () => {
      const subjects = [join(root, "there"), null, join(root, "missing")];
      const { stdout } = run(commandKind.facts.ask(subjects).text);
      expect(commandKind.facts.parse(Buffer.from(stdout), subjects)).toEqual([
        found({ created: true }),
        found({}),
        found({ created: false }),
      ]);
      expect(commandKind.facts.ask([null]).text).toBe("");
    });

    test.each<[string, PlainObject, GuardFacts]>([
      ["both hold", { unless: "true", only_if: "true" }, { unless: 0, onlyIf: 0 }],
      ["statuses are told", { unless: "exit 3", only_if: "(exit 4)" }, { unless: 3, onlyIf: 4 }],
      ["a syntax error is a failure", { unless: "fi", only_if: "true" }, { unless: 2, onlyIf: 0 }],
      ["output does not matter", { unless: 'echo "conn3x-unless 7"' }, { unless: 0 }],
    ])("guards: %s", (_, settings, facts) => {
      expect(commandKind.closer?.parse(answer(0, run(guardScript(settings)).stdout), {})).toEqual(facts);
    });

    test("guards that do not come to an end tell nothing", () => {
      const { stdout } = run(guardScript({ unless: "true", only_if: "kill -9 $$" }));
      expect(() => commandKind.closer?.parse(answer(137, stdout), {})).toThrow(AnswerError);
    });
  });

  function guardScript(settings: PlainObject): string {
    const question = commandKind.closer?.ask({}, want(settings), "refresh");
    if (question?.ask !== "command") throw new Error("a command was expected");
    return question.script;
  }

  test("guards are not run where what it creates is there, nor while a plan is checked", () => {
    const object = want({ unless: "true" });
    expect(commandKind.closer?.ask({ created: true }, object, "refresh")).toBeUndefined();
    expect(commandKind.closer?.ask({}, object, "plan_check")).toBeUndefined();
  });
});

describe("check", () => {
  test.each<[string, PlainObject]>([
    ["Missing command", { run: null }],
    ["Interpreter without a script", { interpreter: ["bash"] }],
    ["Standard input is taken", { run: null, script: "x", interpreter: ["bash"], stdin: "in" }],
    ["Line ends with carriage returns", { run: "a\r\nb" }],
  ])("%s", (summary, settings) => {
    expect(checkCommand(want(settings))).toMatchObject([{ summary }]);
  });
  test.each<[string, unknown]>([
    ["run", " "],
    ["environment", { "A-B": "x" }],
    ["secret_environment", { "1A": "x" }],
    ["user", "root; reboot"],
    ["cwd", "srv"],
    ["success_codes", []],
    ["success_codes", [256]],
    ["timeout", 0],
    ["creates", "x"],
    ["changed_when", "("],
  ])("%s cannot be %j", (name, value) => {
    expect(commandKind.schema.attributes[name]?.check?.(value as never, showValues)).toEqual(
      expect.any(String),
    );
  });
});
