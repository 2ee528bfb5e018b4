/**
 * @module Text that is safe to show: output of hosts and content of files must not control the terminal.
 */
import { charactersOf } from "./characters.ts";

/** C0 except tab and line feed, DEL, C1, and characters that reorder text, end lines or are invisible. */
const steering =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/gu;

/** More combining marks on one letter than any script has (the limit of Unicode Standard Annex 15's stream format). */
const manyMarks = /(\p{M}{30})\p{M}+/gu;

/**
 * Control characters become their pictures (`␛` for ESC), other unsafe characters `�`; carriage returns before a line
 * feed are dropped, and so are combining marks that would pile up over other lines.
 */
export function visible(text: string): string {
  const shown = text.replaceAll("\r\n", "\n").replace(steering, (character) => {
    const code = character.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return code === 0x7f ? "␡" : "�";
  });
  return shown.replace(manyMarks, "$1�");
}

/** The text with the middle of very long words left out. */
export const shortWords = (text: string, longest: number): string =>
  text.length <= longest
    ? text
    : text.replace(/\S+/gu, (word) => {
        const characters = [...word];
        if (characters.length <= longest) return word;
        const end = Math.floor(longest / 4);
        return `${characters.slice(0, longest - end - 1).join("")}…${characters.slice(-end).join("")}`;
      });

/** Like {@link visible}, for text on one line: line feeds and tabs become pictures as well. */
export const visibleLine = (text: string): string =>
  visible(text).replace(/[\t\n]/g, (character) => String.fromCharCode(0x2400 + character.charCodeAt(0)));

/** Characters of two columns: Unicode's East Asian wide and fullwidth blocks. */
const wide =
  /^(?:\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}])/u;

/** Splits text into grapheme clusters. */
export const graphemes = (text: string): string[] => [...charactersOf(text)];

/** Number of terminal columns of a line without tabs and control characters. */
export function displayWidth(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  return graphemes(text).reduce((columns, grapheme) => columns + (wide.test(grapheme) ? 2 : 1), 0);
}

/** Breaks paragraphs at spaces so that lines fit; lines that start with a space, or have no space to break at, stay whole. */
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
