/**
 * @module Moves the text of printed `<<-` heredocs to where the code around it stands.
 */
import { endsLine, type FormatToken } from "../format/format-tokens.ts";
import { Kind } from "../scan/tokens.ts";

/**
 * Indents each line of a `<<-` heredoc by one step more than the line it begins on, and its end marker as much as
 * that line. Heredocs with `~` markers stay as they are: what counts as a line's beginning depends on what these strip.
 */
export function indentHeredocs(tokens: readonly FormatToken[]): void {
  let lineIndentation = 0;
  let atLineStart = true;
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!;
    if (atLineStart) lineIndentation = token.spaces;
    atLineStart = endsLine(token);
    if (token.kind !== Kind.OpenHeredoc || !token.text.startsWith("<<-")) continue;
    const end = heredocEnd(tokens, at);
    const inside = tokens.slice(at + 1, end);
    if (!inside.some(isStripping)) indentLines(tokens, at + 1, end, lineIndentation);
  }
}

/** Index of a heredoc's end marker; that of the last token when there is none. */
function heredocEnd(tokens: readonly FormatToken[], opener: number): number {
  let open = 0;
  for (let at = opener; at < tokens.length; at++) {
    if (tokens[at]!.kind === Kind.OpenHeredoc) open++;
    if (tokens[at]!.kind === Kind.CloseHeredoc && --open === 0) return at;
  }
  return tokens.length - 1;
}

const isStripping = ({ kind, text }: FormatToken): boolean =>
  text.includes("~") &&
  (kind === Kind.OpenInterpolation || kind === Kind.OpenDirective || kind === Kind.CloseSequence);

function indentLines(tokens: readonly FormatToken[], start: number, end: number, indentation: number): void {
  let atLineStart = true;
  let depth = 0;
  for (let at = start; at < end; at++) {
    const token = tokens[at]!;
    if (depth === 0) {
      const isBlankLine = token.kind === Kind.PlainText && /^\s*\n$/.test(token.text);
      if (atLineStart && !isBlankLine) token.spaces = indentation + 2;
      atLineStart = token.kind === Kind.PlainText && token.text.endsWith("\n");
    }
    if (token.kind === Kind.OpenInterpolation || token.kind === Kind.OpenDirective) depth++;
    if (token.kind === Kind.CloseSequence) depth--;
  }
  tokens[end]!.spaces = indentation;
}
