/**
 * What a killed run had begun to make is not taken for somebody else's: neither when it is made after all, nor when it
 * is not wanted any more.
 */
import { existsSync, rmSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { lockPath } from "./state/lock.ts";
import { journalPath } from "./state/store.ts";
import { configurationOf } from "./testing/configuration.ts";
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
async function killInSecond(text = steps): Promise<void> {
  const run = await engine.start(text);
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

test("an update is planned again, also under another address, until it was made", async () => {
  await engine.apply(steps);
  await killInSecond(steps.replace('"two"', '"three"'));
  const renamed = steps.replace('"second"', '"third"');
  const configuration = configurationOf(renamed);
  const at = (name: string) => ({
    modules: [],
    resource: { type: "test_file", name, key: undefined },
  });
  const range = { file: configuration.files[0]!, start: 0, end: 0 };
  const moved = [{ from: at("second"), to: at("third"), range }];
  const again = { configuration: { ...configuration, moved } };
  for (const _ of [1, 2]) {
    expect(actionsOf(await engine.plan("", again))).toEqual({
      "test_file.first": "none",
      "test_file.third": "update last_apply_failed",
    });
  }
  // A run that moves it and is stopped before its turn leaves it open.
  const run = await engine.start("", { ...again, signal: AbortSignal.abort() });
  await run.apply();
  await run.close();
  expect(actionsOf(await engine.plan(renamed))["test_file.third"]).toBe("update last_apply_failed");
  expect((await engine.apply(renamed)).failed).toEqual([]);
  expect(existsSync(journalPath(engine.statePath))).toBe(false);
  expect(actionsOf(await engine.plan(renamed))["test_file.third"]).toBe("none");
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
