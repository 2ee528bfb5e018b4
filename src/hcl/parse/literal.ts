/**
 * @module Text as written → the text it means.
 *
 * Source: HCL Native Syntax Specification, "Template Literals".
 */

import { Kind } from "../scan/tokens.ts";
import { complain, type Parser, tokenStart, tokenText } from "./parser.ts";

/** Whether a text may mean something else than it says. */
export const hasEscapes = (text: string): boolean => /\\|\$\$\{|%%\{/.test(text);

const escapeSequence = /\\(?:u([0-9a-fA-F]{0,4})|U([0-9a-fA-F]{0,8})|([\s\S]?))|([$%])\4\{/gu;

const simpleEscapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", '"': '"', "\\": "\\" };

/** The meaning of the `QuotedText` or `PlainText` token at the parser's position. Reports wrong escapes. */
export function decodeToken(p: Parser, kind: Kind): string {
  const text = tokenText(p);
  if (!hasEscapes(text)) return text;
  if (kind === Kind.PlainText)
    return text.replace(/([$%])\1(\{)?/g, (pair, sign, brace) => (brace ? `${sign}{` : pair));
  const start = tokenStart(p);
  return text.replace(escapeSequence, (whole, short, long, symbol, marker, offset: number) => {
    if (marker !== undefined) return `${marker}{`;
    const simple = symbol === undefined ? undefined : simpleEscapes[symbol];
    if (simple !== undefined) return simple;
    const problem = symbol === undefined ? undefined : `A backslash followed by "${symbol}" means nothing`;
    return decodeUnicode(p, short ?? long, long !== undefined, problem, start + offset, whole.length);
  });
}

function decodeUnicode(
  p: Parser,
  digits: string | undefined,
  long: boolean,
  problem: string | undefined,
  start: number,
  length: number,
): string {
  const wrong = (detail: string): string => {
    complain(p, "Invalid escape sequence", detail, start, start + length);
    return "";
  };
  if (problem !== undefined || digits === undefined) {
    return wrong(
      `${problem}. The sequences are \\n, \\r, \\t, \\", \\\\, \\uNNNN and \\UNNNNNNNN; for a backslash itself write \\\\.`,
    );
  }
  const wanted = long ? 8 : 4;
  if (digits.length !== wanted) {
    return wrong(
      `After \\${long ? "U" : "u"} there must be ${wanted} hexadecimal digits; pad the number with zeros on its left.`,
    );
  }
  const code = Number.parseInt(digits, 16);
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
    return wrong(
      `There is no character U+${digits}. Write one beyond U+FFFF as \\U and eight digits, not as two surrogates.`,
    );
  }
  return String.fromCodePoint(code);
}

/** Anything beyond ASCII and Latin-1 punctuation may be part of a sequence that has a composed form. */
const mayBeDecomposed = /[\u0300-\u{10ffff}]/u;

/** The form in which HCL keeps every string value: Unicode's NFC. */
export const normalizeText = (text: string): string =>
  mayBeDecomposed.test(text) ? text.normalize("NFC") : text;
