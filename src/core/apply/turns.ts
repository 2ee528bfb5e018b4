/**
 * @module Runs work with equal keys one after another, in the order of the calls.
 */
export interface Turns {
  take<T>(key: string, work: () => Promise<T>): Promise<T>;
}

export function createTurns(): Turns {
  /** Settles when everything that came before with the same key is over. */
  const last = new Map<string, Promise<unknown>>();
  return {
    take(key, work) {
      const turn = (last.get(key) ?? Promise.resolve()).then(work);
      const over = turn.catch(() => undefined);
      last.set(key, over);
      over.then(() => {
        if (last.get(key) === over) last.delete(key);
      });
      return turn;
    },
  };
}
