/**
 * @module ^C: the first one ends a run in order, the second at once.
 */
import type { Terminal } from "./terminal.ts";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export interface Interrupts {
  /** Aborted by the first. */
  readonly signal: AbortSignal;
  /** Stops listening. */
  close(): void;
}

/** How long the run has after the second one to save the state and release its lock. Milliseconds. */
const grace = 5000;

/** @param abandon called at the second: closes what is open, so that whatever runs fails at once */
export function listenForInterrupts(terminal: Terminal, abandon: () => Promise<void>): Interrupts {
  const controller = new AbortController();
  let count = 0;
  const onSignal = (): void => {
    count++;
    if (count === 1) {
      terminal.err("\nStopping: what is running finishes, nothing new starts. ^C again ends it at once.\n");
      controller.abort();
    } else if (count === 2) {
      terminal.err("\nClosing all connections.\n");
      // Whether that worked shows in how the run ends.
      abandon().catch(() => {});
      setTimeout(() => process.exit(1), grace).unref();
    } else {
      process.exit(1);
    }
  };
  for (const signal of signals) process.on(signal, onSignal);
  return {
    signal: controller.signal,
    close: () => {
      for (const signal of signals) process.off(signal, onSignal);
    },
  };
}
