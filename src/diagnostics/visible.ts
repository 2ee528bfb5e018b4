/**
 * @module Text that is safe to show: what a host or a file supplied must not steer the terminal.
 */
import { charactersOf } from "./characters.ts";

/** C0 except tab and line feed, DEL, C1, and what reorders the text around it, ends its line or is not seen at all. */
const steering =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/gu;

/** Marks on one letter, beyond what any script has: Unicode Standard Annex 15 allows that many in a stream. */
const manyMarks = /(\p{M}{30})\p{M}+/gu;

/**
 * Control characters become their pictures (`␛` for ESC), others that steer become `�`; carriage returns before a line
 * feed go, and marks that would pile up over other lines.
 */
export function visible(text: string): string {
  const shown = text.replaceAll("\r\n", "\n").replace(steering, (character) => {
    const code = character.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return code === 0x7f ? "␡" : "�";
  });
  return shown.replace(manyMarks, "$1�");
}

/** Words that are longer than any name is meant to be, without their middle. */
export const shortWords = (text: string, longest: number): string =>
  text.length <= longest
    ? text
    : text.replace(/\S+/gu, (word) => {
        const characters = [...word];
        if (characters.length <= longest) return word;
        const end = Math.floor(longest / 4);
        return `${characters.slice(0, longest - end - 1).join("")}…${characters.slice(-end).join("")}`;
      });

/** The same for what has to stay on one line: line feeds and tabs become pictures as well. */
export const visibleLine = (text: string): string =>
  visible(text).replace(/[\t\n]/g, (character) => String.fromCharCode(0x2400 + character.charCodeAt(0)));

/** Unicode's East Asian wide and fullwidth blocks, as terminals show them. */
const wide =
  /^(?:\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}])/u;

/** What a person sees as one character each. */
export const graphemes = (text: string): string[] => [...charactersOf(text)];

/** Terminal columns that a line without tabs and control characters takes. */
export function displayWidth(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  return graphemes(text).reduce((columns, grapheme) => columns + (wide.test(grapheme) ? 2 : 1), 0);
}

/** Breaks paragraphs at spaces so that lines fit; lines that start with a space or hold no space that helps stay whole. */
export function wrap(text: string, width: number): string[] {
  return text.split("\n").flatMap((line) => (/^\s/.test(line) ? [line] : wrapLine(line, width)));
}

function wrapLine(line: string, width: number): string[] {
  const lines: string[] = [];
  let current = "";
  for (const word of line.split(" ")) {
    if (current !== "" && displayWidth(current) + 1 + displayWidth(word) > width) {
      lines.push(current);
      current = word;
    } else {
      current = current === "" ? word : `${current} ${word}`;
    }
  }
  return [...lines, current];
}
