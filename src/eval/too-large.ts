/**
 * @module What is said of values that are larger than the machine can hold.
 */

/** Why V8 threw a RangeError, in the words of this language; an error of our own says it already. */
export function tooLarge({ message }: RangeError): string {
  if (/call stack/.test(message)) return "something is nested too deeply";
  return /^Invalid (?:string|array|count)|[Mm]aximum|too (?:large|big)/.test(message)
    ? "the result would be too large"
    : message;
}
