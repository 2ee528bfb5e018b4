/**
 * @module Strings in double quotes as Go's `%q` writes them: what cannot be seen is escaped.
 */

const goEscapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "\x07": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
};

/** A string in double quotes as Go's `%q` writes it. */
export function goQuote(text: string): string {
  const body = text.replace(/["\\]|(?! )[\p{C}\p{Z}]/gu, (found) => {
    const code = found.codePointAt(0)!;
    if (goEscapes[found] !== undefined) return goEscapes[found];
    const hex = code.toString(16);
    if (code < 0x80) return `\\x${hex.padStart(2, "0")}`;
    return code > 0xffff ? `\\U${hex.padStart(8, "0")}` : `\\u${hex.padStart(4, "0")}`;
  });
  return `"${body}"`;
}
