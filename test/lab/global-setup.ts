/**
 * @module Global setup of vitest's `lab` project: a lab for each of its workers, so that hosts have the same names in every
 * test file. They are without hosts at first; test files claim theirs. Runs in vitest's main process.
 */
import { existsSync } from "node:fs";
import type { TestProject } from "vitest/node";
import { whyNoLab } from "./available.ts";
// Its types say what `provide` takes.
import type {} from "./for-tests.ts";
import { namesFor, openLab, removeLab } from "./lab.ts";
import { type Lock, takeLock } from "./lock.ts";
import { LabError } from "./run.ts";

/** Labs for tests that one checkout can have at once, over all runs. */
const slots = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16];

/**
 * The next lab for tests of this checkout that no other run is using. Names are the same from run to run, so that what
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
  if (!taken) throw new LabError(`${slots.length} labs for tests are in use in this checkout already`);
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
  const labs: Awaited<ReturnType<typeof takeFreeLab>>[] = [];
  const directories: string[] = [];
  for (let worker = 0; worker < project.config.maxWorkers; worker += 1) {
    const taken = await takeFreeLab();
    labs.push(taken);
    await openLab({ name: taken.name, log: (line) => console.warn(line) });
    directories.push(namesFor({ name: taken.name }).directory);
  }
  project.provide("lab", { directories });
  return async () => {
    for (const { name, lock } of labs) {
      await removeLab(namesFor({ name }));
      await lock.release();
    }
  };
}
