/**
 * @module The text a value means → the text as written between quotes.
 */

const simpleEscapes: Readonly<Record<string, string>> = {
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  '"': '\\"',
  "\\": "\\\\",
};

/** What is not written as it is: escapes, sequence openings, and characters that do not print. */
const special = /[\n\r\t"\\]|[$%](?=\{)|(?! )[^\p{L}\p{M}\p{N}\p{P}\p{S}]/gu;

/** A quoted string literal with a value. Lone surrogates, which no text file can hold, become U+FFFD. */
export const quote = (value: string): string => `"${escapeQuoted(value)}"`;

/** A value as it is written inside a quoted template. */
export const escapeQuoted = (value: string): string => value.replace(special, escapeCharacter);

function escapeCharacter(character: string): string {
  if (character === "$" || character === "%") return character + character;
  const simple = simpleEscapes[character];
  if (simple !== undefined) return simple;
  const code = character.codePointAt(0)!;
  if (code >= 0xd800 && code <= 0xdfff) return "\ufffd";
  return code > 0xffff
    ? `\\U${code.toString(16).padStart(8, "0")}`
    : `\\u${code.toString(16).padStart(4, "0")}`;
}
