import { describe, expect, test } from "vitest";
import type { PlainObject } from "../../values/plain.ts";
import { AnswerError } from "../kind.ts";
import type { WaitOperation } from "../operation.ts";
import { rebootKind } from "./reboot.ts";

const id = "3c0b3a5e-6a0f-4f0c-9a55-0d6f5a1f9b11";
const other = "9f86d081-884c-4d65-9a2f-eaa0c55ad015";
const want = (settings: PlainObject): PlainObject => ({
  triggers: null,
  only_if_required: null,
  timeout: null,
  boot_id: null,
  ...settings,
});
const answer = (stdout: string) => ({ status: 0, stdout: Buffer.from(stdout), stderr: Buffer.alloc(0) });
const found = (facts: PlainObject = {}) =>
  ({ state: "present", facts: { bootId: id, isRoot: true, isRequired: false, ...facts } }) as const;

describe("operate", () => {
  test("a new one reboots, and waits for another boot", () => {
    const operations = rebootKind.operate(want({}), found());
    expect(operations).toMatchObject([
      { do: "script", own: true, endsConnection: true },
      { do: "wait", reconnect: true, timeout: 600 },
    ]);
    expect((operations[1] as WaitOperation).question).toMatchObject({
      script: { text: expect.stringContaining(`[ "$b" = ${id} ]`) },
    });
  });

  test.each<[string, PlainObject, PlainObject | undefined, number]>([
    ["once is enough", {}, {}, 0],
    ["a trigger changed", { triggers: { a: "2" } }, { triggers: { a: "1" } }, 2],
    ["the same trigger", { triggers: { a: "1" } }, { triggers: { a: "1" } }, 0],
    ["another time limit", { timeout: 9 }, { timeout: 8 }, 0],
    ["it is not required", { only_if_required: true }, undefined, 0],
  ])("%s", (_, settings, prior, operations) => {
    const before = prior === undefined ? undefined : want(prior);
    expect(rebootKind.operate(want(settings), found(), before)).toHaveLength(operations);
  });

  test("it is required", () => {
    expect(rebootKind.operate(want({ only_if_required: true }), found({ isRequired: true }))).toHaveLength(2);
  });

  test("only root can", () => {
    expect(rebootKind.operate(want({}), found({ isRoot: false }))).toMatchObject([{ do: "refuse" }]);
  });

  test("a boot that cannot be told from another is not ended", () => {
    expect(rebootKind.operate(want({}), { state: "unreadable", why: "has no boot id" })).toMatchObject([
      { do: "refuse" },
    ]);
  });
});

describe("the closer look", () => {
  test("is taken only to act", () => {
    for (const look of ["refresh", "plan_check", "verify"] as const) {
      expect(rebootKind.closer?.ask({}, want({}), look)).toBeUndefined();
    }
    expect(rebootKind.closer?.ask({}, want({}), "act")).toMatchObject({ ask: "script" });
    expect(rebootKind.facts.ask([null]).text).toBe("");
  });
  test("tells of this boot", () => {
    expect(rebootKind.closer?.parse(answer(`${id}\n0\nrequired\n`), {})).toEqual({
      bootId: id,
      isRoot: true,
      isRequired: true,
    });
    expect(rebootKind.closer?.parse(answer(`${id}\n1000\nunneeded\n`), {})).toMatchObject({ isRoot: false });
  });
  test("takes no other words for a boot id", () => {
    expect(() => rebootKind.closer?.parse(answer("cat: no such file\n0\nunneeded\n"), {})).toThrow(
      AnswerError,
    );
  });
});

test("the outcome is the new boot", () => {
  const outcome = (answers: readonly string[], prior?: PlainObject) =>
    rebootKind.outcome?.(want({}), answers.map(answer), prior)?.attributes;
  expect(outcome(["", `${other}\n`])).toEqual({ boot_id: other });
  expect(outcome([], want({ boot_id: id }))).toEqual({ boot_id: id });
  expect(outcome([])).toEqual({ boot_id: null });
});
