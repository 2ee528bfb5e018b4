/**
 * @module Pieces of printed text that know whether a heredoc is at their end.
 *
 * The line of a heredoc's end marker must hold nothing else, so what follows it begins on a new line; inside
 * brackets that means nothing, outside it would end the attribute.
 */

export interface Fragment {
  readonly text: string;
  /** Whether the text ends with a heredoc's end marker. */
  readonly endsInHeredoc: boolean;
  /** Whether a heredoc is followed by something, outside all brackets of the text. */
  readonly broken: boolean;
}

export const fragment = (text: string): Fragment => ({ text, endsInHeredoc: false, broken: false });

/** A few pieces in a row. */
export const concatenate = (...pieces: readonly (Fragment | string)[]): Fragment => joined(pieces);

/** Any number of pieces in a row: a template may have more parts than a call may have arguments. */
export function joined(pieces: readonly (Fragment | string)[]): Fragment {
  let text = "";
  let endsInHeredoc = false;
  let broken = false;
  for (const piece of pieces) {
    const next = typeof piece === "string" ? fragment(piece) : piece;
    if (next.text === "") continue;
    if (endsInHeredoc && !next.text.startsWith("\n")) text += "\n";
    broken ||= endsInHeredoc || next.broken;
    text += next.text;
    endsInHeredoc = next.endsInHeredoc;
  }
  return { text, endsInHeredoc, broken };
}

/** Pieces inside brackets, whose line ends do not count outside. */
export const enclose = (open: string, content: readonly (Fragment | string)[], close: string): Fragment => ({
  ...joined([open, ...content, close]),
  broken: false,
});

/** Pieces with a separator between them. */
export const separate = (pieces: readonly Fragment[], separator: string): (Fragment | string)[] =>
  pieces.flatMap((piece, index) => (index === 0 ? [piece] : [separator, piece]));

export const isMultiline = ({ text }: Fragment): boolean => text.includes("\n");
