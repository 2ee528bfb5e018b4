/**
 * @module Guesses, after a line end inside quotes, what the writer meant.
 *
 * HCL allows no line end there. Reading on to the next quote turns the rest of the file inside out when it is the
 * closing quote that is missing, and ending the text turns it inside out when the text really has several lines.
 */
import { identifierPattern } from "../../values/identifier.ts";

/** An attribute, a block's header, a closing bracket, a comment. */
const looksLikeCode = new RegExp(
  String.raw`^\s*(?:${identifierPattern}\s*=|${identifierPattern}(?:\s+(?:"[^"]*"|${identifierPattern}))*\s*\{|[}\])]|#|//|/\*)`,
  "u",
);

/** How many lines a text in quotes is believed to have at most. */
const maximumLines = 200;
/** How much of a line is looked at, so that a long one is not read again for every quote before it. */
const maximumLength = 4096;

/**
 * Whether quoted text goes on.
 *
 * @param start where the line after the line end begins
 */
export function continuesQuote(text: string, start: number): boolean {
  let at = start;
  for (let line = 0; line < maximumLines && at < text.length; line++) {
    const newline = text.indexOf("\n", at);
    const end = newline === -1 ? text.length : newline;
    const content = text.slice(at, Math.min(end, at + maximumLength));
    if (looksLikeCode.test(content)) return false;
    const quotes = content.replace(/\\./g, "").split('"').length - 1;
    if (quotes > 0) return quotes % 2 === 1;
    at = end + 1;
  }
  return false;
}
