/**
 * @module ^C: the first one ends a run in order, the second at once. Nobody reading the output any more is like the first.
 */
import type { Terminal } from "./terminal.ts";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** What a command is doing. `reading`: nothing is changed on any host; `waiting`: for another engine, which does the work. */
export type Phase = "reading" | "asking" | "acting" | "waiting";

export interface Interrupts {
  /** Aborted by the first. */
  readonly signal: AbortSignal;
  /** Says what the run does now: `reading` until this is called. */
  enter(phase: Phase): void;
  phase(): Phase;
  /** Stops listening. */
  close(): void;
}

/** How long the run has after the second one to save the state and release its lock. Milliseconds. */
const grace = 5000;

const stopping: Record<Phase, string> = {
  reading: "\nStopping. Nothing was changed.\n",
  asking: "",
  acting: "\nStopping: what is running finishes, nothing new starts. ^C again ends it at once.\n",
  waiting: "\nStopping: the engine is asked to end. ^C again ends it at once.\n",
};

const begun =
  "\nClosing all connections. What was begun on a host, a restart for one, may still run there to its end: the next apply looks.\n";

const closing: Record<Phase, string> = {
  reading: "\nClosing all connections.\n",
  asking: "\nClosing all connections.\n",
  acting: begun,
  waiting: "\nEnding the engine.\n",
};

/** @param abandon called at the second: closes what is open, so that whatever runs fails at once */
export function listenForInterrupts(terminal: Terminal, abandon: () => Promise<void>): Interrupts {
  const controller = new AbortController();
  let phase: Phase = "reading";
  let count = 0;
  const onSignal = (): void => {
    count++;
    if (count === 1) {
      terminal.err(stopping[phase]);
      controller.abort();
    } else if (count === 2) {
      terminal.err(closing[phase]);
      // Whether that worked shows in how the run ends.
      abandon().catch(() => {});
      setTimeout(() => process.exit(1), grace).unref();
    } else {
      process.exit(1);
    }
  };
  const onLost = (): void => {
    if (count > 0) return;
    count++;
    const why = terminal.problem() === undefined ? "\nNobody reads the output any more." : "";
    terminal.err(`${why}${stopping[phase]}`);
    controller.abort();
  };
  for (const signal of signals) process.on(signal, onSignal);
  if (terminal.lost.aborted) onLost();
  terminal.lost.addEventListener("abort", onLost);
  return {
    signal: controller.signal,
    phase: () => phase,
    enter: (next) => {
      phase = next;
    },
    close: () => {
      for (const signal of signals) process.off(signal, onSignal);
      terminal.lost.removeEventListener("abort", onLost);
    },
  };
}
