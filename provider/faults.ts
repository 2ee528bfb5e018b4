/**
 * @module Errors that no call caught: thrown in an event of a socket or a timer. The calls that are being answered then
 * may wait for something that never comes, so they are failed, each with a diagnostic of its own.
 */

export interface Faults {
  /** Settles as `work` does, or rejects with what is raised before. */
  guard<T>(work: Promise<T>): Promise<T>;
  /** Rejects all that is being guarded now. */
  raise(error: unknown): void;
}

export function createFaults(): Faults {
  // Not a race with one long-lived promise: that would keep every answer in memory.
  const waiting = new Set<(error: unknown) => void>();
  return {
    guard: (work) =>
      new Promise((resolve, reject) => {
        waiting.add(reject);
        work.then(resolve, reject).finally(() => waiting.delete(reject));
      }),
    raise: (error) => {
      for (const reject of waiting) reject(error);
    },
  };
}
