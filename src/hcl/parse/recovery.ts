/**
 * @module Where parsing goes on after an error, so that the rest of a file's errors are found too.
 */
import { closerOf } from "../scan/brackets.ts";
import { Kind } from "../scan/tokens.ts";
import type { Expression } from "../tree.ts";
import { fail, failHere, lineOf, type ParseExpression, type Parser, peek, placeholder } from "./parser.ts";

/**
 * After a failure in an item of a bracketed list: goes to the separator after the item, or to the list's end.
 * Does nothing, leaving the parser failed, when a bracket in between has no partner, because then nobody knows
 * what belongs to the item.
 *
 * @param first token the item begins with
 * @param end token that closes the list, -1 when there is none
 */
export function recoverInList(p: Parser, first: number, end: number, newlines: boolean): void {
  if (end === -1 || p.at > end || p.stopped) return;
  const { kinds } = p.tokens;
  let at = first;
  for (; at < end; at++) {
    const kind = kinds[at]!;
    if (closerOf[kind] !== 0) {
      if (p.partners[at] === -1) return;
      at = p.partners[at]!;
    } else if (at >= p.at) {
      if (kind === Kind.Comma) break;
      if (newlines && (kind === Kind.Newline || kind === Kind.LineComment)) break;
    }
  }
  p.at = Math.min(at, end);
  p.failed = false;
}

/**
 * After a failure in an item of a body: goes to the end of the item's line, or to where the body ends.
 * With an unclosed bracket in the item, to the next line that looks like an item as little indented as this one.
 *
 * @param first token the item begins with
 * @param end token that closes the body; the last token when there is none
 * @returns whether it is known where the item ends
 */
export function recoverInBody(p: Parser, first: number, end: number): boolean {
  p.failed = false;
  if (p.stopped) return false;
  const { kinds } = p.tokens;
  for (let at = first; at < end; at++) {
    const kind = kinds[at]!;
    if (closerOf[kind] !== 0) {
      if (p.partners[at] === -1) {
        recoverByIndentation(p, first, end);
        return false;
      }
      at = p.partners[at]!;
    } else if (at >= p.at && isLineEnd(kind)) {
      p.at = at;
      return true;
    }
  }
  p.at = Math.max(p.at, end);
  return true;
}

/** Looks from the line of the failure on: what came before it was understood as part of the item. */
function recoverByIndentation(p: Parser, first: number, end: number): void {
  const { kinds } = p.tokens;
  const indentationAt = (token: number): number => indentation(p, p.tokens.starts[token]!);
  const limit = indentationAt(first);
  let from = Math.min(p.at, end);
  while (from > first + 1 && !isLineEnd(kinds[from - 1]!)) from--;
  for (let at = from; at < end; at++) {
    if (!isLineEnd(kinds[at - 1]!)) continue;
    const closes = kinds[at] === Kind.CloseBrace && indentationAt(at) < limit;
    if (closes || (looksLikeItem(p, at) && indentationAt(at) <= limit)) {
      p.at = at;
      return;
    }
  }
  p.at = Math.max(p.at, end);
}

const isLineEnd = (kind: number): boolean => kind === Kind.Newline || kind === Kind.LineComment;

/** Whether tokens from here are `name =` or a block's header. */
function looksLikeItem(p: Parser, start: number): boolean {
  const { kinds } = p.tokens;
  if (kinds[start] !== Kind.Identifier) return false;
  if (kinds[start + 1] === Kind.Assign) return true;
  for (let at = start + 1; ; at++) {
    if (kinds[at] === Kind.OpenBrace) return true;
    if (kinds[at] === Kind.OpenQuote && p.partners[at] !== -1) at = p.partners[at]!;
    else if (kinds[at] !== Kind.Identifier) return false;
  }
}

/** Blanks and tabs at the beginning of the line that an offset lies in. */
export function indentation(p: Parser, offset: number): number {
  const lineStart = p.text.lastIndexOf("\n", offset - 1) + 1;
  let at = lineStart;
  while (p.text[at] === " " || p.text[at] === "\t") at++;
  return at - lineStart;
}

const names: Readonly<Record<number, readonly [name: string, closer: string]>> = {
  [Kind.OpenBrace]: ["brace", "}"],
  [Kind.OpenBracket]: ["bracket", "]"],
  [Kind.OpenParenthesis]: ["parenthesis", ")"],
};

/**
 * Fails at the next token because a bracketed expression neither goes on nor ends there: says that the bracket is
 * unclosed when it has no partner, what was expected otherwise.
 */
export function failInBrackets(p: Parser, opener: number, summary: string, detail: string): void {
  peek(p);
  if (p.partners[opener] === -1) failUnclosed(p, opener);
  else failHere(p, summary, detail);
}

/** An expression inside brackets. Where the file ends instead, it is the bracket that misses something. */
export function parseInside(p: Parser, opener: number, parseExpression: ParseExpression): Expression {
  if (peek(p) !== Kind.EndOfFile) return parseExpression(p);
  failUnclosed(p, opener);
  return placeholder(p);
}

/** Reports a bracket without a partner, at the bracket. */
export function failUnclosed(p: Parser, opener: number): void {
  const [name, closer] = names[p.tokens.kinds[opener]!]!;
  const start = p.tokens.starts[opener]!;
  fail(
    p,
    `Unclosed ${name}`,
    `The "${p.text[start]}" on ${lineOf(p, start)} is never closed. Add "${closer}" where what it holds ends.`,
    start,
    start + 1,
  );
}
