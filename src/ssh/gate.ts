/**
 * @module At most N of something at a time, first come first served.
 */

export interface Gate {
  /** Waits for a turn; the function that comes back gives it up and may be called more than once. */
  enter(): Promise<() => void>;
}

/** @param limit how many may be inside together */
export function createGate(limit: number): Gate {
  let inside = 0;
  const waiting: (() => void)[] = [];

  const leave = (): void => {
    const next = waiting.shift();
    if (next) next();
    else inside--;
  };

  return {
    async enter() {
      if (inside < limit) inside++;
      else await new Promise<void>((turn) => waiting.push(turn));
      let left = false;
      return () => {
        if (left) return;
        left = true;
        leave();
      };
    },
  };
}
