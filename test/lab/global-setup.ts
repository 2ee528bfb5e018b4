/**
 * @module Global setup of vitest's `lab` project: one lab for the whole run, without hosts at first; test files claim
 * theirs. Runs in vitest's main process.
 */
import { existsSync } from "node:fs";
import type { TestProject } from "vitest/node";
import { whyNoLab } from "./available.ts";
// Its types say what `provide` takes.
import type {} from "./for-tests.ts";
import { namesFor, openLab, removeLab } from "./lab.ts";
import { type Lock, takeLock } from "./lock.ts";
import { LabError } from "./run.ts";

/** Runs of lab tests that one checkout can have at once. */
const slots = [1, 2, 3, 4, 5, 6, 7, 8];

/**
 * The first lab for tests of this checkout that no other run is using. Names are the same from run to run, so that what
 * runs that crashed left behind is found, and removed here.
 */
async function takeFreeLab(): Promise<{ readonly name: string; readonly lock: Lock }> {
  let taken: { readonly name: string; readonly lock: Lock } | undefined;
  for (const slot of slots) {
    const name = `${process.env.CONN3X_LAB_NAME ?? ""} tests ${slot}`;
    const names = namesFor({ name });
    if (taken && !existsSync(names.directory)) continue;
    const lock = await takeLock(names.runLock, false);
    if (!lock) continue;
    await removeLab(names);
    if (taken) await lock.release();
    else taken = { name, lock };
  }
  if (!taken) throw new LabError(`${slots.length} runs of lab tests are under way in this checkout already`);
  return taken;
}

/** @throws LabError with `CI=true` on a machine that cannot hold a lab; elsewhere the tests are skipped */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const why = whyNoLab();
  if (why !== undefined) {
    if (process.env.CI === "true") throw new LabError(`lab tests must run with CI=true: ${why}`);
    console.warn(`Lab tests are skipped: ${why}.`);
    project.provide("lab", { why });
    return undefined;
  }
  const { name, lock } = await takeFreeLab();
  const names = namesFor({ name });
  await openLab({ name, log: (line) => console.warn(line) });
  project.provide("lab", { directory: names.directory });
  return async () => {
    await removeLab(names);
    await lock.release();
  };
}
