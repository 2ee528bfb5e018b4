/**
 * @module Global setup of vitest's `lab` project: one lab for the whole run, without hosts at first; test files claim
 * theirs. Runs in vitest's main process.
 */
import type { TestProject } from "vitest/node";
import { whyNoLab } from "./available.ts";
import type { LabOfRun } from "./for-tests.ts";
import { namesFor, openLab, removeLab } from "./lab.ts";
import { type Lock, takeLock } from "./lock.ts";
import { LabError } from "./run.ts";

declare module "vitest" {
  export interface ProvidedContext {
    lab: LabOfRun;
  }
}

/**
 * The first lab for tests of this checkout that no other run is using. Its name is the same from run to run, so that what
 * a run that crashed left behind is found and removed by the next one.
 */
async function takeFreeLab(): Promise<{ readonly name: string; readonly lock: Lock }> {
  for (let number = 1; number <= 8; number++) {
    const name = `${process.env.CONN3X_LAB_NAME ?? ""} tests ${number}`;
    const lock = await takeLock(namesFor({ name }).runLock, false);
    if (lock) return { name, lock };
  }
  throw new LabError("eight runs of lab tests are under way in this checkout already");
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
  await removeLab(names);
  await openLab({ name, log: (line) => console.warn(line) });
  project.provide("lab", { directory: names.directory });
  return async () => {
    await removeLab(names);
    await lock.release();
  };
}
