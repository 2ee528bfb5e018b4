/**
 * What a killed run had begun to make is not taken for somebody else's: neither when it is made after all, nor when it
 * is not wanted any more.
 */
import { existsSync, rmSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { lockPath } from "./state/lock.ts";
import { journalPath } from "./state/store.ts";
import { actionsOf, type TestEngine, testEngine } from "./testing/engine.ts";

let engine: TestEngine;
beforeEach(() => {
  engine = testEngine();
});
afterEach(() => engine.remove());

const steps = `
resource "test_file" "first" {
  path    = "/first"
  content = "one"
}
resource "test_file" "second" {
  path       = "/second"
  content    = "two"
  depends_on = [test_file.first]
}
`;

/** Applies, and stands still in the second step: on its host it is done, and nobody hears of it. */
async function killInSecond(): Promise<void> {
  const run = await engine.start(steps);
  await new Promise<void>((resolve) => {
    engine.hosts.beforeApply = (what) => {
      if (!what.endsWith("/second")) return undefined;
      engine.hosts.files.set(what, "two");
      resolve();
      return new Promise(() => undefined);
    };
    void run.apply();
  });
  engine.hosts.beforeApply = () => undefined;
  rmSync(lockPath(engine.statePath));
}

test("its plan is given what the plan of the killed run had kept, by every plan until it is made", async () => {
  await killInSecond();
  for (const _ of [1, 2]) {
    engine.hosts.priorPrivate.clear();
    expect(actionsOf(await engine.plan(steps))).toEqual({
      "test_file.first": "none",
      "test_file.second": "create create",
    });
    expect(engine.hosts.priorPrivate).toEqual(new Map([["/second", "plan of /second"]]));
  }
  await engine.apply(steps);
  expect(existsSync(journalPath(engine.statePath))).toBe(false);
  expect(actionsOf(await engine.plan(steps))["test_file.second"]).toBe("none");
});

test.each([
  ["when everything is destroyed", steps, "destroy"],
  ["when its step is not there any more", "", "normal"],
] as const)("it is deleted %s", async (_, text, mode) => {
  await killInSecond();
  const { deleted } = await engine.apply(text, { mode });
  expect(deleted).toBe(2);
  expect(engine.hosts.files).toEqual(new Map());
  expect(existsSync(journalPath(engine.statePath))).toBe(false);
});

test("it is forgotten when its host does not have it", async () => {
  await killInSecond();
  engine.hosts.files.delete("here:/second");
  expect(actionsOf(await engine.plan("", { mode: "destroy" }))).toEqual({
    "test_file.first": "delete destroy",
  });
  engine.hosts.priorPrivate.clear();
  await engine.apply(steps);
  expect(engine.hosts.priorPrivate.get("/second")).toBe("");
});

test("a create that failed without a trace leaves no word of itself", async () => {
  engine.hosts.failing.set("here:/second", "wholly");
  expect((await engine.apply(steps)).failed).toHaveLength(1);
  expect(existsSync(journalPath(engine.statePath))).toBe(false);
});
