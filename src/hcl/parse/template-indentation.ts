/**
 * @module The indentation that a `<<-` heredoc takes away from its lines.
 */
import { charactersOf, countCharacters } from "../../diagnostics/characters.ts";
import { leadingWhiteSpace } from "../scan/characters.ts";
import type { Piece } from "./template-tree.ts";

/**
 * Takes from each line's beginning as much white space as the least indented line has. Only literal text counts,
 * not what interpolations yield; lines of nothing but white space neither count nor change, and a line after a line
 * end that a `~` marker took is not seen as a line. All of that as HCL does it.
 *
 * @param pieces changed in place
 */
export function flushIndentation(pieces: Piece[]): void {
  const lineStarts: number[] = [];
  let least = Number.POSITIVE_INFINITY;
  let atLineStart = true;
  pieces.forEach((piece, index) => {
    const value = piece.kind === "literal" ? piece.value : undefined;
    if (atLineStart) {
      atLineStart = false;
      const indentation = value === undefined ? 0 : leadingWhiteSpace(value);
      if (!(value?.endsWith("\n") && indentation === value.length)) {
        least = Math.min(least, widthOf(value?.slice(0, indentation) ?? ""));
        if (value !== undefined) lineStarts.push(index);
      }
    }
    if (value?.endsWith("\n")) atLineStart = true;
  });
  for (const index of lineStarts) {
    const piece = pieces[index]!;
    if (piece.kind !== "literal") continue;
    const length = lengthOfCharacters(piece.value, least);
    pieces[index] = { ...piece, value: piece.value.slice(length), start: piece.start + length };
  }
}

const isAscii = /^[\0-\x7f]*$/;

// Carriage return and line feed are one character.
const widthOf = (text: string): number =>
  isAscii.test(text) && !text.includes("\r") ? text.length : countCharacters(text);

function lengthOfCharacters(text: string, count: number): number {
  const start = text.slice(0, count);
  if (isAscii.test(start) && !start.includes("\r")) return start.length;
  let length = 0;
  let characters = 0;
  for (const character of charactersOf(text)) {
    if (characters++ === count) break;
    length += character.length;
  }
  return length;
}
