/**
 * @module Storing instances in a backend, as a run does, for tests of backends.
 */
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { openStore } from "../state/open-store.ts";
import type { StateInstance } from "../state/state.ts";
import type { StateBackend } from "../state/state-backend.ts";

export const lockTerms = { operation: "OperationTypeApply", timeout: 0 };

/** An instance of `conn3x_file.a`. */
export const storedInstance = (key: string): StateInstance => ({
  key,
  tainted: false,
  schemaVersion: 0,
  attributes: `{"path":"/${key}"}`,
  sensitivePaths: "[]",
  private: new Uint8Array(),
  dependencies: [],
  createBeforeDestroy: false,
});

/** Locks, stores instances, and closes. @returns what was said */
export async function storeAt(
  backend: StateBackend,
  ...keys: readonly string[]
): Promise<readonly Diagnostic[]> {
  const { lock, problem } = await backend.lock(lockTerms);
  if (lock === undefined) throw new Error(problem.detail);
  const opened = await openStore(backend);
  if (opened.store === undefined) return [opened.problem, ...(await lock.release())];
  for (const key of keys) opened.store.put("conn3x_file", "a", storedInstance(key));
  return [...(await opened.store.close()), ...(await lock.release())];
}

/** Keys of the instances in the text of a state. */
export const keysIn = (text: string | undefined): readonly string[] =>
  JSON.parse(text!).resources.flatMap(({ instances }: { instances: readonly { index_key: string }[] }) =>
    instances.map(({ index_key }) => index_key),
  );
