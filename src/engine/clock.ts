/**
 * @module The clock of events.
 */

/** Milliseconds of the process's monotonic clock. */
export const now = (): number => performance.now();
