/**
 * @module Which characters HCL counts as parts of an identifier, and which as white space.
 *
 * Source: HCL Native Syntax Specification, "Identifiers"; white space is Unicode's `White_Space`, which is not
 * what `String.prototype.trim` removes.
 */
import { identifierPart, identifierStart } from "../../values/identifier.ts";

const start = new RegExp(`^${identifierStart}$`, "u");
const part = new RegExp(`^${identifierPart}$`, "u");

const asciiTable = (matches: RegExp): Uint8Array =>
  Uint8Array.from({ length: 128 }, (_, code) => (matches.test(String.fromCharCode(code)) ? 1 : 0));

const asciiStart = asciiTable(start);
const asciiPart = asciiTable(part);

export const isIdentifierStart = (code: number): boolean =>
  code < 128 ? asciiStart[code] === 1 : start.test(String.fromCodePoint(code));

export const isIdentifierPart = (code: number): boolean =>
  code < 128 ? asciiPart[code] === 1 : part.test(String.fromCodePoint(code));

export const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/** Characters that a `~` marker strips and that count as a heredoc's indentation. */
export function isWhiteSpace(code: number): boolean {
  if (code <= 0x20) return code === 0x20 || (code >= 9 && code <= 13);
  if (code < 0x1680) return code === 0x85 || code === 0xa0;
  return (
    code === 0x1680 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000
  );
}

/** Length of the white space a text begins with. */
export function leadingWhiteSpace(text: string): number {
  let at = 0;
  while (at < text.length && isWhiteSpace(text.charCodeAt(at))) at++;
  return at;
}

/** The text without the white space it ends with. */
export function trimEnd(text: string): string {
  let end = text.length;
  while (end > 0 && isWhiteSpace(text.charCodeAt(end - 1))) end--;
  return text.slice(0, end);
}
