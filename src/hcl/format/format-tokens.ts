/**
 * @module The form of tokens that the formatter works on: each with the blanks before it.
 */
import { scan } from "../scan/scan.ts";
import { Kind } from "../scan/tokens.ts";

export interface FormatToken {
  readonly kind: Kind;
  readonly text: string;
  /** Where the token stood; that of a neighbour for one that is new. */
  readonly start: number;
  /** Blanks before it: the only thing that laying out changes. */
  spaces: number;
}

const byteOrderMark = 0xfeff;

/** Tokens of a configuration with the blanks they have; a tab counts as one. The end of the file is the last. */
export function formatTokens(text: string): FormatToken[] {
  const { kinds, starts, ends, count } = scan(text, "configuration");
  const tokens: FormatToken[] = [];
  let end = text.charCodeAt(0) === byteOrderMark ? 1 : 0;
  for (let at = 0; at < count; at++) {
    const start = starts[at]!;
    tokens.push({ kind: kinds[at] as Kind, text: text.slice(start, ends[at]), start, spaces: start - end });
    end = ends[at]!;
  }
  return tokens;
}

/** Whether a token ends its line. A heredoc's text does not: to the layout it is part of one line. */
export const endsLine = ({ kind }: FormatToken): boolean =>
  kind === Kind.Newline || kind === Kind.LineComment;

/** 1 for what opens a bracket or template sequence, -1 for what closes one, 0 for everything else. */
export function bracketChange({ kind }: FormatToken): -1 | 0 | 1 {
  switch (kind) {
    case Kind.OpenBrace:
    case Kind.OpenBracket:
    case Kind.OpenParenthesis:
    case Kind.OpenInterpolation:
    case Kind.OpenDirective:
      return 1;
    case Kind.CloseBrace:
    case Kind.CloseBracket:
    case Kind.CloseParenthesis:
    case Kind.CloseSequence:
      return -1;
    default:
      return 0;
  }
}

/** The text that tokens with their blanks make. */
export function joinTokens(tokens: readonly FormatToken[]): string {
  const parts: string[] = [];
  for (const { spaces, text } of tokens) {
    if (spaces > 0) parts.push(" ".repeat(spaces));
    parts.push(text);
  }
  return parts.join("");
}
