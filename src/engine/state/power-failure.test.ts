/**
 * Whenever the power fails, the next start takes in what is left: all that was said to be durable, and nothing that
 * looks as if another program had been at the state.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Folder, flushes, leftAfterPowerFailure, losses, onChange } from "../testing/power-failure.ts";
import { openStore } from "./open-store.ts";
import type { StateInstance } from "./state.ts";
import type { StateStore } from "./store.ts";

vi.mock("node:fs", async (original) => {
  const { watchFiles } = await import("../testing/power-failure.ts");
  return watchFiles(await original());
});

let parent: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "conn3x-power-"));
});
afterEach(() => {
  onChange(() => undefined);
  rmSync(parent, { recursive: true });
});

function newPath(): string {
  return join(mkdtempSync(join(parent, "run-")), "terraform.tfstate");
}

const instance = (key: string): StateInstance => ({
  key,
  tainted: false,
  schemaVersion: 0,
  attributes: "{}",
  sensitivePaths: "[]",
  private: new Uint8Array(),
  dependencies: [],
  createBeforeDestroy: false,
});

async function open(path: string): Promise<StateStore> {
  const { store, problem } = await openStore(path);
  if (problem !== undefined) throw new Error(`${problem.summary}: ${problem.detail}`);
  return store;
}

const keys = (store: StateStore): readonly unknown[] => [
  ...(store.state.resources.get("conn3x_file.a")?.instances.keys() ?? []),
];

/** What the next start finds of what a power failure has left. */
async function found(left: Folder): Promise<readonly unknown[]> {
  const path = newPath();
  for (const [name, content] of left) writeFileSync(join(path, "..", name), content);
  return keys(await open(path));
}

test("whenever the power fails, what was durable is there, and the journal fits the state", async () => {
  const step = fc.constantFrom("put", "durable", "close", "wait");
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const path = newPath();
      const failures: { readonly left: Folder; readonly atLeast: number; readonly atMost: number }[] = [];
      let [put, durable] = [0, 0];
      const fail = (): void => {
        for (const loss of losses) {
          const left = leftAfterPowerFailure(join(path, ".."), loss);
          failures.push({ left, atLeast: durable, atMost: put });
        }
      };
      onChange(fail);
      let store = await open(path);
      for (const step of [...steps, "close"]) {
        if (step === "put") store.put("conn3x_file", "a", instance(`${put++}`));
        else if (step === "wait") await new Promise((resolve) => setImmediate(resolve));
        else {
          const before = put;
          if (step === "durable") await store.durable();
          else {
            expect(await store.close()).toEqual([]);
            store = await open(path);
          }
          durable = before;
          fail();
        }
      }
      onChange(() => undefined);
      for (const { left, atLeast, atMost } of failures) {
        const there = (await found(left)).length;
        expect(there).toBeGreaterThanOrEqual(atLeast);
        expect(there).toBeLessThanOrEqual(atMost);
      }
    }),
    { numRuns: 60 },
  );
});

test("all who wait share a flush, and who comes while it is under way the next one", async () => {
  const store = await open(newPath());
  store.put("conn3x_file", "a", instance("0"));
  const before = flushes();
  const waiting = Array.from({ length: 64 }, () => store.durable());
  await Promise.resolve();
  await Promise.resolve();
  expect(flushes() - before).toBe(1);
  store.put("conn3x_file", "a", instance("1"));
  waiting.push(...Array.from({ length: 64 }, () => store.durable()));
  await Promise.all(waiting);
  expect(flushes() - before).toBe(2);
  await store.close();
});

test("who waits while a flush is under way waits for what he wrote", async () => {
  const path = newPath();
  const store = await open(path);
  store.put("conn3x_file", "a", instance("0"));
  const first = store.durable();
  await Promise.resolve();
  await Promise.resolve();
  store.put("conn3x_file", "a", instance("1"));
  await Promise.all([first, store.durable()]);
  expect(await found(leftAfterPowerFailure(join(path, ".."), "all"))).toEqual(["0", "1"]);
  await store.close();
});
