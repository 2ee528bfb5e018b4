/**
 * @module The bytes of a text file as lines, and back: what is not touched keeps its bytes and its line end.
 */
export interface TextLine {
  /** Without its end; bytes that are no UTF-8 are replaced here, and kept in {@link bytes}. */
  readonly text: string;
  readonly bytes: Buffer;
  /** Empty for a last line that has none. */
  readonly end: "\n" | "\r\n" | "";
}

export function splitLines(content: Buffer): readonly TextLine[] {
  const lines: TextLine[] = [];
  for (let start = 0; start < content.length; ) {
    const newline = content.indexOf("\n", start);
    const stop = newline < 0 ? content.length : newline;
    const carriage = newline > start && content[newline - 1] === 0x0d;
    const bytes = content.subarray(start, carriage ? stop - 1 : stop);
    lines.push({ text: bytes.toString("utf8"), bytes, end: newline < 0 ? "" : carriage ? "\r\n" : "\n" });
    start = stop + 1;
  }
  return lines;
}

export const joinLines = (lines: readonly TextLine[]): Buffer =>
  Buffer.concat(lines.flatMap(({ bytes, end }) => [bytes, Buffer.from(end)]));

/** A new line that ends as those of its file do. */
export function newLine(text: string, neighbours: readonly TextLine[]): TextLine {
  return { text, bytes: Buffer.from(text, "utf8"), end: neighbours[0]?.end === "\r\n" ? "\r\n" : "\n" };
}

/** The lines with one more: a last line without an end gets one, so that the two do not become one. */
export function insertLine(lines: readonly TextLine[], index: number, text: string): readonly TextLine[] {
  const line = newLine(text, lines);
  const before = lines.slice(0, index).map((one) => (one.end === "" ? { ...one, end: line.end } : one));
  return [...before, line, ...lines.slice(index)];
}

export const replaceLine = (lines: readonly TextLine[], index: number, text: string): readonly TextLine[] =>
  lines.map((line, i) => (i === index ? { ...line, text, bytes: Buffer.from(text, "utf8") } : line));
