/**
 * @module Errors about tokens that are wrong everywhere, mostly habits from other languages.
 */
import { identifierPattern } from "../../values/identifier.ts";
import { Kind, type Tokens } from "./tokens.ts";

export interface Explanation {
  readonly summary: string;
  readonly detail: string;
  /** Where it is not the token itself. */
  readonly start?: number;
  readonly end?: number;
}

const typographic = ["Typographic quotes", 'Text is written in straight double quotes: "text".'] as const;

const characters: Readonly<Record<string, readonly [summary: string, detail: string]>> = {
  "'": ["Single quotes", 'Text is written in double quotes: "text".'],
  "`": [
    "Backquotes",
    'Text is written in double quotes, and text of several lines as a heredoc that begins with "<<EOT" and ends with a line "EOT".',
  ],
  "“": typographic,
  "”": typographic,
  "„": typographic,
  "‘": typographic,
  "’": typographic,
  $: [
    "Template sequence outside of quotes",
    'Only text has "${ … }" in it. Elsewhere write the expression itself, without "$".',
  ],
  ";": [
    "Unexpected semicolon",
    "Arguments and blocks end with their line; put the next one on a line of its own.",
  ],
  "&": ["Unknown operator", 'There are no operators on bits. The logical "and" is "&&".'],
  "|": ["Unknown operator", 'There are no operators on bits. The logical "or" is "||".'],
  "^": ["Unknown operator", "There are no operators on bits, and powers are written pow(base, exponent)."],
  "~": [
    "Unknown operator",
    'There are no operators on bits. The logical "not" is "!". The marker that strips white space stands only next to the braces of a template sequence: ${~ … ~}.',
  ],
  "\r": [
    "Carriage return without line feed",
    "A line ends with a line feed, alone or after a carriage return. Save the file with one of these line ends.",
  ],
  "\ufffd": [
    "Broken character",
    "The file is not valid UTF-8 here. Save it as UTF-8, without characters of another encoding.",
  ],
  "\u00a0": ["No-break space", "This looks like a blank but is another character. Replace it by a blank."],
  "\ufeff": [
    "Byte order mark",
    "An invisible byte order mark is allowed only at the beginning of the file. Delete it.",
  ],
};
const heredocIntroducer = new RegExp(`<<-?${identifierPattern}`, "uy");

/** The error for a token that is wrong everywhere; undefined for tokens that are valid somewhere. */
export function explainInvalid(
  { kinds, starts, ends }: Tokens,
  at: number,
  text: string,
): Explanation | undefined {
  const start = starts[at]!;
  switch (kinds[at]) {
    case Kind.Invalid: {
      const character = text.slice(start, ends[at]);
      const [summary, detail] = characters[character] ?? [
        "Invalid character",
        `The character ${describe(character)} has no meaning here. Delete it, or put it into quotes if it belongs to a text.`,
      ];
      return { summary, detail };
    }
    case Kind.UnclosedComment:
      return {
        summary: "Unclosed comment",
        detail: 'The comment that begins here has no end. Add "*/" where it ends.',
        end: start + 2,
      };
    case Kind.Less:
      return explainHeredoc(text, start);
    case Kind.Star:
      if (text[start - 1] !== "*") break;
      return {
        summary: "Unknown operator",
        detail: "Powers are written pow(base, exponent).",
        start: start - 1,
      };
  }
  return undefined;
}

function explainHeredoc(text: string, start: number): Explanation | undefined {
  for (const from of [start, start - 1]) {
    heredocIntroducer.lastIndex = Math.max(from, 0);
    const introducer = heredocIntroducer.exec(text)?.[0];
    if (introducer === undefined) continue;
    return {
      summary: "Text after a heredoc's marker",
      detail: `The line must end directly after "${introducer}", without blanks or a comment. The heredoc's text begins on the next line.`,
      start: from,
      end: from + introducer.length,
    };
  }
  return undefined;
}

function describe(character: string): string {
  const code = character.codePointAt(0)!;
  const name = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(character) ? `"${character}" (${name})` : name;
}
