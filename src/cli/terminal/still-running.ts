/**
 * @module Says at intervals what still runs, where nothing else shows it: who waits for a log to go on wants to know.
 */
import type { Event, EventSink } from "../../engine/index.ts";

export type Beginning = Extract<Event, { kind: "apply_start" }>;

export interface StillRunning {
  readonly events: EventSink;
  close(): void;
}

/** How often. Milliseconds; OpenTofu's. */
const interval = 10_000;

/** @param report called each time with how long it has run by then, in milliseconds */
export function reportStillRunning(report: (beginning: Beginning, elapsed: number) => void): StillRunning {
  const timers = new Map<string, NodeJS.Timeout>();
  const end = (address: string): void => {
    clearInterval(timers.get(address));
    timers.delete(address);
  };
  return {
    events(event) {
      if (event.kind === "apply_start") {
        const { address } = event.subject;
        let elapsed = 0;
        end(address);
        const timer = setInterval(() => {
          elapsed += interval;
          report(event, elapsed);
        }, interval);
        timers.set(address, timer.unref());
      } else if (event.kind === "apply_complete" || event.kind === "apply_errored") {
        end(event.subject.address);
      }
    },
    close() {
      for (const address of timers.keys()) end(address);
    },
  };
}
