/**
 * @module Changes of a state without any host: `state rm`, `state mv`, `state push`.
 */
import { type Diagnostic, errorDiagnostic, hasErrors } from "../../diagnostics/diagnostic.ts";
import { backendAt } from "./file-backend.ts";
import { openStore } from "./open-store.ts";
import { readState } from "./read-state.ts";
import type { StateFile } from "./state.ts";
import { backendProblem, type StateBackend, type StateLocation } from "./state-backend.ts";
import type { StateStore } from "./store.ts";
import { stateParts } from "./write-state.ts";

export interface EditOptions {
  readonly path: StateLocation;
  /** For those who find the state locked: `state rm`. */
  readonly operation: string;
  /** Milliseconds to wait for a lock that somebody else holds. */
  readonly lockTimeout: number;
}

/**
 * Locks the state, takes in what an interrupted run left, and lets `edit` change it. What it changed before it reported
 * an error is stored too, so it must look first.
 */
export function editState(
  options: EditOptions,
  edit: (store: StateStore) => readonly Diagnostic[] | Promise<readonly Diagnostic[]>,
): Promise<readonly Diagnostic[]> {
  return locked(options, async (backend) => {
    const { store, problem, warnings } = await openStore(backend);
    if (store === undefined) return [problem];
    const said = await edit(store);
    return [...warnings, ...said, ...(await store.close())];
  });
}

/**
 * Puts another state in place of the stored one, which stays beside it as `.backup`.
 *
 * @param force also over a state of another lineage, or a newer one
 */
export function pushState(
  options: EditOptions,
  text: string,
  force: boolean,
): Promise<readonly Diagnostic[]> {
  return locked(options, async (backend) => {
    const pushed = readState(text, "The given state");
    if (pushed.problem !== undefined) return [pushed.problem];
    const { store, problem } = await openStore(backend);
    if (store === undefined) return [problem];
    const obstacle = force ? undefined : whyNot(store.file, pushed.state);
    const closed = await store.close();
    if (obstacle !== undefined || hasErrors(closed)) return [...closed, ...(obstacle ? [obstacle] : [])];
    await backend.backUp();
    await backend.write(backend.encode(stateParts(pushed.state)));
    return [];
  });
}

function whyNot(stored: StateFile, pushed: StateFile): Diagnostic | undefined {
  if (stored.lineage !== "" && stored.lineage !== pushed.lineage) {
    return errorDiagnostic(
      "The given state is another one's",
      `Its lineage is ${pushed.lineage}, that of the stored state ${stored.lineage}. With -force it takes its place all the same.`,
    );
  }
  if (pushed.serial >= stored.serial) return undefined;
  return errorDiagnostic(
    "The given state is older",
    `Its serial is ${pushed.serial}, that of the stored state ${stored.serial}. With -force it takes its place all the same.`,
  );
}

async function locked(
  { path, operation, lockTimeout }: EditOptions,
  work: (backend: StateBackend) => Promise<readonly Diagnostic[]>,
): Promise<readonly Diagnostic[]> {
  const backend = backendAt(path);
  try {
    const { lock, problem } = await backend.lock({ operation, timeout: lockTimeout });
    if (lock === undefined) return [problem];
    const said = await inPlace(backend, work).catch(async (error: unknown) => {
      await lock.release();
      throw error;
    });
    return [...said, ...(await lock.release())];
  } finally {
    await backend.close();
  }
}

async function inPlace(
  backend: StateBackend,
  work: (backend: StateBackend) => Promise<readonly Diagnostic[]>,
): Promise<readonly Diagnostic[]> {
  try {
    return await work(backend);
  } catch (error) {
    return [backendProblem(error, "State cannot be written", backend.name)];
  }
}
