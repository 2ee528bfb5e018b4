/**
 * @module The source lines that a diagnostic is about, with its range marked.
 */
import type { Colors } from "picocolors/types";
import { shownText } from "./concealed.ts";
import type { SourceRange } from "./source.ts";
import { displayWidth, graphemes, visible } from "./visible.ts";

/** At most so many lines of one range are shown. */
const mostLines = 4;
const ellipsis = "…";

/** A line in three parts: before, inside and after the range. */
interface MarkedLine {
  readonly number: number;
  readonly before: string;
  readonly marked: string;
  readonly after: string;
}

/**
 * @param width columns that a line may take
 * @returns lines with their numbers; the range is underlined, by a line of `^` below where there are no colours
 */
export function snippetLines(range: SourceRange, colors: Colors, width: number): string[] {
  const lines = markedLines(range);
  const shown = lines.slice(0, mostLines).flatMap((line) => {
    const number = `${String(line.number).padStart(4)}: `;
    const { before, marked, after } = cut(line, width - number.length);
    if (colors.isColorSupported) return [`${number}${before}${colors.underline(marked)}${after}`.trimEnd()];
    const pointer = "^".repeat(Math.max(1, displayWidth(marked)));
    const indent = " ".repeat(number.length + displayWidth(before));
    return [`${number}${before}${marked}${after}`.trimEnd(), indent + pointer];
  });
  return lines.length > mostLines ? [...shown, `      ${ellipsis}`] : shown;
}

function markedLines(range: SourceRange): MarkedLine[] {
  const { file, start, end } = range;
  const first = file.lineOf(start);
  // A range that ends just after a line end does not reach into the next line.
  const last = Math.max(first, file.lineOf(Math.max(start, end - 1)));
  const lines: MarkedLine[] = [];
  let lineStart = startOfLine(file.text, start);
  for (let number = first; number <= last; number++) {
    const text = file.line(number);
    const from = clamp(start - lineStart, 0, text.length);
    const to = clamp(end - lineStart, from, text.length);
    const line = { start: lineStart, end: lineStart + text.length };
    const indented = number === first ? from : text.search(/\S|$/);
    lines.push(marked(number, line, indented, to, showing(range)));
    lineStart = file.text.indexOf("\n", lineStart) + 1;
  }
  return lines;
}

/** Offset at which the line of `offset` starts. */
export const startOfLine = (text: string, offset: number): number =>
  offset === 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1;

/** Characters on either side of the marked part that are considered: no screen shows more. */
const mostShown = 4000;

/** The text between two offsets of a file, as far as it may be shown. */
type Show = (from: number, to: number) => string;

/** How excerpts for a range show the text of its file. */
export const showing =
  ({ file, start, end, shown }: SourceRange): Show =>
  (from, to) =>
    shownText(file, from, to, shown === true ? { start, end } : undefined);

/** @param from and `to`: offsets in the line */
function marked(
  number: number,
  line: Pick<SourceRange, "start" | "end">,
  from: number,
  to: number,
  show: Show,
): MarkedLine {
  const [start, end] = [line.start + from, line.start + Math.max(from, to)];
  return {
    number,
    before: oneLine(show(Math.max(line.start, start - mostShown), start)),
    marked: oneLine(show(start, Math.min(end, start + mostShown))),
    after: oneLine(show(end, Math.min(line.end, end + mostShown))),
  };
}

const oneLine = (text: string): string => visible(text).replaceAll("\t", "  ");

const clamp = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), high);

/** Makes a line fit by leaving out what is far from the marked part. */
function cut(line: MarkedLine, width: number): MarkedLine {
  const room = Math.max(width, 20);
  if (displayWidth(line.before + line.marked + line.after) <= room) return line;
  const before = keepEnd(line.before, Math.floor(room / 3));
  const marked = keepStart(line.marked, room - displayWidth(before) - 1);
  const after = marked === line.marked ? keepStart(line.after, room - displayWidth(before + marked)) : "";
  return { number: line.number, before, marked, after };
}

function keepStart(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  return fitting(graphemes(text), width - 1).join("") + ellipsis;
}

function keepEnd(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  return (
    ellipsis +
    fitting(graphemes(text).reverse(), width - 1)
      .reverse()
      .join("")
  );
}

/** As many of the first characters as take at most `width` columns. */
function fitting(characters: readonly string[], width: number): string[] {
  let columns = 0;
  const end = characters.findIndex((character) => {
    columns += displayWidth(character);
    return columns > width;
  });
  return characters.slice(0, end === -1 ? characters.length : end);
}
