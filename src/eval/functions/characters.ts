/**
 * @module Long texts by what a reader takes for characters.
 */
import { charactersOf } from "../../diagnostics/characters.ts";

/** Code units that are looked at together: what the segmenter holds while it walks is many times the text's size. */
const windowSize = 1024;

export const characters = (value: string): string[] => [...clusters(value)];

/** How many characters there are. */
export function characterCount(value: string): number {
  if (isPlain(value)) return value.length;
  let count = 0;
  for (const _ of clusters(value)) count++;
  return count;
}

/** The first characters, at most `count` of them. */
export function firstCharacters(value: string, count: number): string {
  if (isPlain(value)) return value.slice(0, count);
  let result = "";
  let left = count;
  for (const character of clusters(value)) {
    if (left-- <= 0) break;
    result += character;
  }
  return result;
}

/** Whether each code unit is a character: ASCII, where only a carriage return joins what follows it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII but one
const isPlain = (value: string): boolean => /^[\0-\x0c\x0e-\x7f]*$/.test(value);

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code < 0xdc00;

function* clusters(value: string): Generator<string> {
  let size = windowSize;
  for (let start = 0; start < value.length; ) {
    const cut = start + size;
    const end = isHighSurrogate(value.charCodeAt(cut - 1)) ? cut + 1 : cut;
    const found = [...charactersOf(value.slice(start, end))];
    // The window's last character may go on behind it.
    if (end < value.length) found.pop();
    if (found.length === 0) {
      size *= 2;
      continue;
    }
    yield* found;
    start += found.reduce((length, segment) => length + segment.length, 0);
    size = windowSize;
  }
}
