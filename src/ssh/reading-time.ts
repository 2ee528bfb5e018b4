/**
 * @module The time that a host may take for everything that is read there in one phase. A plan asks many questions, one
 * after another, and each of them could be answered in the last moment.
 */

export interface ReadingTime {
  /** A question waits. To be called as often as {@link end}. */
  begin(): void;
  end(): void;
  /** Milliseconds that are left. */
  left(): number;
  /** Ends reading: the host has used up its time. */
  exhaust(): void;
  isExhausted(): boolean;
  /** Another phase: something has been changed there. What has been exhausted remains so. */
  renew(): void;
  /** Starts again from the beginning: the host has been rebooted. */
  reset(): void;
}

/** @param limit milliseconds for one phase; only the time in which something waits counts, once however much that is */
export function createReadingTime(limit: number, now: () => number = () => performance.now()): ReadingTime {
  let spent = 0;
  let waiting = 0;
  let since = 0;
  let exhausted = false;
  const running = (): number => (waiting > 0 ? now() - since : 0);
  return {
    begin() {
      if (waiting++ === 0) since = now();
    },
    end() {
      if (waiting === 1) spent += running();
      waiting--;
    },
    left: () => (exhausted ? 0 : Math.max(0, limit - spent - running())),
    exhaust() {
      exhausted = true;
    },
    isExhausted: () => exhausted,
    renew() {
      spent = 0;
      since = now();
    },
    reset() {
      exhausted = false;
      spent = 0;
      since = now();
    },
  };
}
