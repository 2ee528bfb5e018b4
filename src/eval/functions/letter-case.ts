/**
 * @module Upper, lower and title case as Go has them: one code point at a time, by Unicode's simple mappings.
 *
 * Source: UnicodeData.txt of the Unicode Character Database as of Unicode 15.0, which OpenTofu is built with, and Go's `strings.Title`.
 */

/** Letters that have another case since Unicode 16 or 17 only, and those cases. */
const younger =
  /^[\u019b\u0264\u1c89\u1c8a\ua7cb-\ua7cf\ua7d2-\ua7d5\ua7da-\ua7dc\u{10d50}-\u{10d65}\u{10d70}-\u{10d85}\u{16ea0}-\u{16ed3}]$/u;

/** "ß" has no upper case of one letter, and stays. */
function mapped(value: string, change: (character: string) => string): string {
  let changed = "";
  for (const character of value) {
    const result = younger.test(character) ? character : change(character);
    changed += [...result].length === 1 ? result : character;
  }
  return changed;
}

export const upper = (value: string): string => mapped(value, upperOf);

export const lower = (value: string): string =>
  mapped(value, (character) => (character === "İ" ? "i" : character.toLowerCase()));

/** Letters with an iota below: in full they become two letters, by the simple mapping the one that has them as lower case. */
const withIota = /^[\u1f80-\u1f87\u1f90-\u1f97\u1fa0-\u1fa7\u1fb3\u1fc3\u1ff3]$/;

function upperOf(character: string): string {
  if (!withIota.test(character)) return character.toUpperCase();
  const distance = character < "\u1fb0" ? 8 : 9;
  return String.fromCharCode(character.charCodeAt(0) + distance);
}

/** The pairs of letters that are one character, in each of their cases, and how they begin a word. */
const digraphs: ReadonlyMap<string, string> = new Map(
  ["\u01c4\u01c5\u01c6", "\u01c7\u01c8\u01c9", "\u01ca\u01cb\u01cc", "\u01f1\u01f2\u01f3"].flatMap(
    ([upperCase = "", titleCase = "", lowerCase = ""]) =>
      [upperCase, titleCase, lowerCase].map((one) => [one, titleCase] as const),
  ),
);

/** Georgian has capitals for whole texts only: no word begins with one. */
const georgian = /^[\u10d0-\u10fa\u10fd-\u10ff]$/;

const titleOf = (character: string): string =>
  georgian.test(character) ? character : (digraphs.get(character) ?? upperOf(character));

/** What follows ASCII that is no letter, digit or underscore, or white space, begins a word. */
export const title = (value: string): string =>
  value.replace(/(?<=^|(?!\w)[\0-\x7f]|[\p{White_Space}])[\s\S]/gu, (first) => mapped(first, titleOf));
