/**
 * @module Seconds of a setting as timers take them.
 */

/** What `setTimeout` can hold (24.8 days); more would be no delay at all. */
const longest = 2 ** 31 - 1;

export function milliseconds(seconds: number): number {
  return Math.min(seconds * 1000, longest);
}
