/**
 * @module Tuples, objects and `for` expressions.
 *
 * Source: HCL Native Syntax Specification, "Collection Values" and "For Expressions".
 */

import { Kind } from "../scan/tokens.ts";
import type { Expression, For, ObjectExpression, ObjectItem, Tuple } from "../tree.ts";
import {
  accept,
  advance,
  complain,
  isKeyword,
  type ParseExpression,
  type Parser,
  peek,
  placeholder,
  raise,
  tokenStart,
} from "./parser.ts";
import { failInBrackets, parseInside, recoverInList } from "./recovery.ts";
import { parseForNames } from "./template-sequence.ts";

/** `[…]`: a tuple or a `for` expression that makes one. */
export function parseBrackets(p: Parser, parseExpression: ParseExpression): Tuple | For {
  const opener = p.at;
  const start = tokenStart(p);
  const { newlines } = p;
  p.newlines = false;
  advance(p);
  const node = isKeyword(p, "for")
    ? parseFor(p, opener, start, parseExpression)
    : parseTuple(p, opener, start, parseExpression);
  p.newlines = newlines;
  return node;
}

function parseTuple(p: Parser, opener: number, start: number, parseExpression: ParseExpression): Tuple {
  const items: Expression[] = [];
  let height = 0;
  while (!p.failed && peek(p) !== Kind.CloseBracket) {
    const first = p.at;
    items.push(parseInside(p, opener, parseExpression));
    height = Math.max(height, p.height);
    const kind = p.failed ? undefined : peek(p);
    if (kind === Kind.CloseBracket) break;
    if (kind !== Kind.Comma) {
      failInBrackets(
        p,
        opener,
        "Missing comma",
        'The elements of a list are separated by commas and end with "]".',
      );
      recoverInList(p, first, p.partners[opener]!, false);
    }
    if (!p.failed) accept(p, Kind.Comma);
  }
  if (!p.failed) advance(p);
  raise(p, height, start);
  return { kind: "tuple", items, file: p.file, start, end: p.lastEnd };
}

/** `{…}`: an object or a `for` expression that makes one. */
export function parseBraces(p: Parser, parseExpression: ParseExpression): ObjectExpression | For {
  const opener = p.at;
  const start = tokenStart(p);
  const { newlines } = p;
  p.newlines = false;
  advance(p);
  const inside = p.at;
  const isFor = isKeyword(p, "for");
  p.newlines = !isFor;
  if (!isFor) p.at = inside;
  const node = isFor
    ? parseFor(p, opener, start, parseExpression)
    : parseObject(p, opener, start, parseExpression);
  p.newlines = newlines;
  return node;
}

function parseObject(
  p: Parser,
  opener: number,
  start: number,
  parseExpression: ParseExpression,
): ObjectExpression {
  const items: ObjectItem[] = [];
  let height = 0;
  while (!p.failed) {
    const next = peek(p);
    if (next === Kind.CloseBrace) break;
    if (next === Kind.Newline) {
      advance(p);
      continue;
    }
    const first = p.at;
    const item = parseObjectItem(p, opener, parseExpression);
    height = Math.max(height, p.height);
    if (item !== undefined) items.push(item);
    const kind = p.failed ? undefined : peek(p);
    if (kind === Kind.CloseBrace) break;
    if (kind !== Kind.Comma && kind !== Kind.Newline) {
      failInBrackets(
        p,
        opener,
        "Missing comma or line end",
        'The attributes of an object are separated by commas or line ends, and end with "}".',
      );
      recoverInList(p, first, p.partners[opener]!, true);
    }
    if (!p.failed && (peek(p) === Kind.Comma || peek(p) === Kind.Newline)) advance(p);
  }
  if (!p.failed) advance(p);
  raise(p, height, start);
  return { kind: "object", items, file: p.file, start, end: p.lastEnd };
}

function parseObjectItem(
  p: Parser,
  opener: number,
  parseExpression: ParseExpression,
): ObjectItem | undefined {
  const key = parseInside(p, opener, parseExpression);
  const height = p.height;
  if (p.failed) return undefined;
  const kind = peek(p);
  if (kind !== Kind.Assign && kind !== Kind.Colon) {
    failInBrackets(
      p,
      opener,
      'Missing "=" in an object',
      'Each attribute of an object is written KEY = VALUE. A key that is no identifier, or holds dots or blanks, must be quoted: "my key" = VALUE.',
    );
    return undefined;
  }
  advance(p);
  const value = parseExpression(p);
  p.height = Math.max(height, p.height);
  return { key, value };
}

function parseFor(p: Parser, opener: number, start: number, parseExpression: ParseExpression): For {
  const object = p.tokens.kinds[opener] === Kind.OpenBrace;
  advance(p);
  let height = 0;
  const part = (): Expression => {
    const expression = p.failed ? placeholder(p) : parseExpression(p);
    height = Math.max(height, p.height);
    return expression;
  };
  const names = parseForNames(p, "a for expression");
  const collection = part();
  if (!p.failed && !accept(p, Kind.Colon)) {
    failInBrackets(p, opener, 'Missing ":" in a for expression', forms);
  }
  const first = part();
  const arrow = !p.failed && accept(p, Kind.FatArrow);
  const value = arrow ? part() : first;
  const grouped = !p.failed && accept(p, Kind.Ellipsis);
  const groupEnd = p.lastEnd;
  const isConditional = !p.failed && isKeyword(p, "if");
  if (isConditional) advance(p);
  const condition = isConditional ? part() : undefined;
  closeFor(p, opener, object ? Kind.CloseBrace : Kind.CloseBracket);
  if (!p.failed) checkForm(p, object, arrow ? first : undefined, value, grouped ? groupEnd : undefined);
  raise(p, height, start);
  const key = arrow ? first : undefined;
  return {
    kind: "for",
    ...names,
    collection,
    key,
    value,
    condition,
    grouped,
    file: p.file,
    start,
    end: p.lastEnd,
  };
}

const forms =
  "A for expression is written [for NAME in COLLECTION : VALUE if CONDITION] for a list, {for NAME in COLLECTION : KEY => VALUE if CONDITION} for an object; the condition may be left out.";

function closeFor(p: Parser, opener: number, closer: Kind): void {
  if (p.failed || peek(p) !== closer) {
    failInBrackets(
      p,
      opener,
      "Unexpected text in a for expression",
      `The for expression must end here. ${forms}`,
    );
    const partner = p.partners[opener]!;
    if (partner !== -1) recoverInList(p, partner, partner, false);
  }
  if (!p.failed) advance(p);
}

function checkForm(
  p: Parser,
  object: boolean,
  key: Expression | undefined,
  value: Expression,
  groupEnd: number | undefined,
): void {
  if (object && key === undefined) {
    complain(
      p,
      "Missing key in a for expression",
      `In braces a for expression makes an object. ${forms}`,
      value.start,
      value.end,
    );
  } else if (!object && key !== undefined) {
    complain(
      p,
      "Unexpected key in a for expression",
      `In brackets a for expression makes a list. ${forms}`,
      key.start,
      key.end,
    );
  } else if (!object && groupEnd !== undefined) {
    complain(
      p,
      'Unexpected "..." in a for expression',
      `Only values of an object can be grouped. ${forms}`,
      groupEnd - 3,
      groupEnd,
    );
  }
}
