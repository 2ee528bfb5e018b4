/**
 * However the steps of several processes fall between each other, one of them gets the lock of a process that is gone.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { processIdentity } from "../../files/process-identity.ts";
import { type Lock, lockPath, lockState } from "./lock.ts";

/** Called before each operation on files. */
const turn = vi.hoisted(() => ({ wait: async (): Promise<void> => undefined }));

vi.mock("node:fs", async (original) => {
  const files = await original<typeof import("node:fs")>();
  const waiting = Object.entries(files.promises).map(([name, work]) => [
    name,
    typeof work !== "function"
      ? work
      : async (...given: unknown[]) => {
          await turn.wait();
          return (work as (...given: unknown[]) => unknown)(...given);
        },
  ]);
  return { ...files, promises: Object.fromEntries(waiting) };
});

let folder: string;
let statePath: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "conn3x-lock-"));
  statePath = join(folder, "terraform.tfstate");
});
afterEach(() => {
  turn.wait = async () => undefined;
  rmSync(folder, { recursive: true });
});

const request = () => ({ statePath, operation: "OperationTypePlan", timeout: 0 });

async function heldByGone(path: string): Promise<void> {
  const { pid } = spawnSync("true");
  const identity = { ...(await processIdentity(process.pid)), pid };
  writeFileSync(path, JSON.stringify({ ID: "gone", Operation: "apply", Process: identity }));
}

test("of all who find a stale lock at most one holds it, and it is the one the file names", async () => {
  const pauses = fc.array(fc.nat(12), { minLength: 20, maxLength: 120 });
  const starts = fc.array(fc.nat(60), { minLength: 2, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(pauses, starts, async (pauses, starts) => {
      await heldByGone(lockPath(statePath));
      let next = 0;
      turn.wait = () => ticks(pauses[next++ % pauses.length]!);
      const results = await Promise.all(
        starts.map(async (start) => {
          await ticks(start);
          return lockState(request());
        }),
      );
      turn.wait = async () => undefined;
      const locks = results.flatMap(({ lock }) => (lock === undefined ? [] : [lock]));
      expect(locks).toHaveLength(1);
      expect(JSON.parse(readFileSync(lockPath(statePath), "utf8")).ID).toBe(locks[0]!.info.ID);
      await locks[0]!.release();
      expect(readdirSync(folder)).toEqual([]);
    }),
    { numRuns: 60 },
  );
});

async function ticks(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
}

test("a process that was killed while it took a lock over is in nobody's way", async () => {
  await heldByGone(lockPath(statePath));
  await heldByGone(`${lockPath(statePath)}.takeover`);
  const { lock } = await lockState(request());
  expect(lock).toBeDefined();
  await lock!.release();
  expect(readdirSync(folder)).toEqual([]);
});

test("who finds another taking the lock over is told of him", async () => {
  await heldByGone(lockPath(statePath));
  const other: Lock | undefined = (await lockState({ ...request(), statePath: join(folder, "other") })).lock;
  writeFileSync(`${lockPath(statePath)}.takeover`, JSON.stringify(other!.info));
  const { problem } = await lockState(request());
  expect(problem?.detail).toContain(other!.info.ID);
});
