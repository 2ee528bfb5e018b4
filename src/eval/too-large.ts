/**
 * @module Errors about values that are too large for the machine.
 */

/** The message for a RangeError of V8; other errors have one already. */
export function tooLarge({ message }: RangeError): string {
  if (/call stack/.test(message)) return "something is nested too deeply";
  return /^Invalid (?:string|array|count)|[Mm]aximum|too (?:large|big)/.test(message)
    ? "the result would be too large"
    : message;
}
