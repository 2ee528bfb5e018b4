/**
 * @module Output of a host in a form that is safe in messages.
 */

/** Longest excerpt. */
const longest = 300;

/** On one line, without control characters, and short: the end of it counts most. */
export function printable(text: string): string {
  const clean = text.replace(/[^\p{L}\p{N}\p{P}\p{S} ]+/gu, " ").trim();
  return clean.length > longest ? `…${clean.slice(-longest)}` : clean;
}
