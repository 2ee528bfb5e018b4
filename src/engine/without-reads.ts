/**
 * @module Events without reads, for runs whose hosts were read before.
 */
import type { EventSink } from "./event.ts";

/** Events other than those of reads. */
export const withoutReads =
  (events: EventSink): EventSink =>
  (event) => {
    if (event.kind !== "refresh_start" && event.kind !== "refresh_complete") events(event);
  };
