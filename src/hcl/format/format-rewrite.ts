/**
 * @module The few things that formatting changes besides white space.
 *
 * As `tofu fmt` does: labels are quoted; an attribute's `"${x}"` becomes `x`; the type of a `variable` block is
 * written in today's form.
 */

import { quote } from "../print/quote.ts";
import { Kind } from "../scan/tokens.ts";
import type { Attribute, Block, Body } from "../tree.ts";
import { bracketChange, endsLine, type FormatToken } from "./format-tokens.ts";

/** Tokens `start` to `end` (exclusive) are replaced. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly tokens: readonly FormatToken[];
}

export function rewrite(tokens: readonly FormatToken[], body: Body): readonly FormatToken[] {
  const edits: Edit[] = [];
  rewriteBody(tokens, body, [], edits);
  if (edits.length === 0) return tokens;
  const result: FormatToken[] = [];
  let at = 0;
  for (const edit of edits.sort((a, b) => a.start - b.start)) {
    for (; at < edit.start; at++) result.push(tokens[at]!);
    result.push(...edit.tokens);
    at = edit.end;
  }
  for (; at < tokens.length; at++) result.push(tokens[at]!);
  return result;
}

function rewriteBody(
  tokens: readonly FormatToken[],
  body: Body,
  blocks: readonly string[],
  edits: Edit[],
): void {
  for (const item of body.items) {
    if (item.kind === "block") {
      rewriteLabels(tokens, item, edits);
      rewriteBody(tokens, item.body, [...blocks, item.type], edits);
    } else {
      const isType = item.name === "type" && blocks.length === 1 && blocks[0] === "variable";
      rewriteAttribute(tokens, item, isType ? modernType : unwrap, edits);
    }
  }
}

function rewriteAttribute(
  tokens: readonly FormatToken[],
  attribute: Attribute,
  change: (tokens: readonly FormatToken[]) => readonly FormatToken[],
  edits: Edit[],
): void {
  const start = indexAt(tokens, attribute.expression.start);
  const end = indexAt(tokens, attribute.expression.end);
  const before = tokens.slice(start, end);
  const after = change(before);
  if (after !== before) edits.push({ start, end, tokens: after });
}

function rewriteLabels(tokens: readonly FormatToken[], block: Block, edits: Edit[]): void {
  const [first, last] = [block.labels[0], block.labels[block.labels.length - 1]];
  if (first === undefined || last === undefined) return;
  const start = indexAt(tokens, first.start);
  const quoted = block.labels.flatMap((label) => [
    newToken(tokens[start]!, Kind.OpenQuote, '"'),
    newToken(tokens[start]!, Kind.QuotedText, quote(label.value).slice(1, -1)),
    newToken(tokens[start]!, Kind.CloseQuote, '"'),
  ]);
  edits.push({ start, end: indexAt(tokens, last.end), tokens: quoted });
}

/** Index of the first token that begins at an offset or after it. */
function indexAt(tokens: readonly FormatToken[], offset: number): number {
  let low = 0;
  let high = tokens.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (tokens[middle]!.start < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

const newToken = ({ start }: FormatToken, kind: Kind, text: string): FormatToken => ({
  kind,
  text,
  start,
  spaces: 0,
});

/**
 * `"${x}"` → `x`, as long as the quotes hold nothing else. An expression over several lines gets parentheses.
 *
 * Two things are done better than by `tofu fmt`: nested ones are unwrapped at once, where it needs a run for each;
 * and a line end outside all brackets always leads to parentheses, where it sees neither the ones that end comments nor
 * those between two pairs of parentheses, and writes something that cannot be parsed.
 */
function unwrap(tokens: readonly FormatToken[]): readonly FormatToken[] {
  if (!isWrapped(tokens)) return tokens;
  const inside = trim(tokens.slice(2, -2), (token) => token.kind === Kind.Newline);
  const core = trim(inside, (token) => token.kind === Kind.Newline || isComment(token));
  const [first, last] = [inside[0], inside[inside.length - 1]];
  if (first === undefined || last === undefined) return tokens;
  const several = inside.some((token) => token.kind === Kind.Newline);
  const hasParentheses = first.kind === Kind.OpenParenthesis && last.kind === Kind.CloseParenthesis;
  if ((several && !hasParentheses) || hasBareLineEnd(inside)) {
    // Nothing may stand on the line of a heredoc's end marker.
    const lineEnd = last.kind === Kind.CloseHeredoc ? [newToken(last, Kind.Newline, "\n")] : [];
    const closing = [...lineEnd, newToken(last, Kind.CloseParenthesis, ")")];
    return [newToken(first, Kind.OpenParenthesis, "("), ...inside, ...closing];
  }
  const start = inside.indexOf(core[0]!);
  return [...inside.slice(0, start), ...unwrap(core), ...inside.slice(start + core.length)];
}

function isWrapped(tokens: readonly FormatToken[]): boolean {
  const kinds = [tokens[0], tokens[1], tokens[tokens.length - 2], tokens[tokens.length - 1]].map(
    (t) => t?.kind,
  );
  const wanted = [Kind.OpenQuote, Kind.OpenInterpolation, Kind.CloseSequence, Kind.CloseQuote];
  if (tokens.length < 5 || kinds.some((kind, at) => kind !== wanted[at])) return false;
  let quotes = 0;
  for (const { kind } of tokens.slice(2, -2)) {
    if (kind === Kind.OpenQuote) quotes++;
    else if (kind === Kind.CloseQuote) quotes--;
    else if (quotes > 0) continue;
    else if (kind === Kind.OpenInterpolation || kind === Kind.CloseSequence || kind === Kind.QuotedText)
      return false;
  }
  return true;
}

/** Whether a line but the last ends outside all brackets: without the quotes, the following ones would be cut off. */
function hasBareLineEnd(tokens: readonly FormatToken[]): boolean {
  let depth = 0;
  return tokens.slice(0, -1).some((token) => {
    depth += bracketChange(token);
    return depth === 0 && endsLine(token);
  });
}

const isComment = ({ kind }: FormatToken): boolean => kind === Kind.Comment || kind === Kind.LineComment;

/** Tokens without those at both ends that are to go. */
function trim(tokens: readonly FormatToken[], goes: (token: FormatToken) => boolean): readonly FormatToken[] {
  const start = tokens.findIndex((token) => !goes(token));
  return start === -1 ? [] : tokens.slice(start, tokens.findLastIndex((token) => !goes(token)) + 1);
}

/** `list` → `list(any)`, and the quoted types of old: `"list"` → `list(string)`. */
function modernType(tokens: readonly FormatToken[]): readonly FormatToken[] {
  const [first, second] = tokens;
  if (tokens.length === 1 && first?.kind === Kind.Identifier && /^(?:list|map|set)$/.test(first.text)) {
    return typeCall(first, first.text, "any");
  }
  if (tokens.length === 3 && first?.kind === Kind.OpenQuote && second !== undefined) {
    if (second.text === "string") return [newToken(first, Kind.Identifier, "string")];
    if (second.text === "list" || second.text === "map") return typeCall(first, second.text, "string");
  }
  return tokens;
}

const typeCall = (at: FormatToken, name: string, argument: string): readonly FormatToken[] => [
  newToken(at, Kind.Identifier, name),
  newToken(at, Kind.OpenParenthesis, "("),
  newToken(at, Kind.Identifier, argument),
  newToken(at, Kind.CloseParenthesis, ")"),
];
