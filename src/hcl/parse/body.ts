/**
 * @module Bodies: attributes and blocks.
 *
 * Source: HCL Native Syntax Specification, "Structural Elements".
 */

import { Kind } from "../scan/tokens.ts";
import type { Attribute, Block, Body } from "../tree.ts";
import {
  complainAboutDuplicate,
  failAtItem,
  failAtName,
  failHeader,
  failItemEnd,
  failSingleLine,
  failUnclosedBlock,
} from "./body-errors.ts";
import { brokenAt } from "./broken.ts";
import { parseExpression } from "./expression.ts";
import { parseLabels } from "./label.ts";
import { accept, advance, enter, type Parser, peek, tokenStart, tokenText } from "./parser.ts";
import { recoverInBody } from "./recovery.ts";

type Item = Attribute | Block;

/** All items up to the end of the file. */
export function parseRootBody(p: Parser): Body {
  const items = parseItems(p, Kind.EndOfFile, p.tokens.count - 1);
  return bodyOf(p, items, 0, 0, p.text.length);
}

/** @param before how many gaps there were in the file before the body, which takes those that came since */
function bodyOf(p: Parser, items: Item[], before: number, start: number, end: number): Body {
  const { file } = p;
  const gaps = p.gaps.splice(before);
  return gaps.length === 0 ? { items, file, start, end } : { items, gaps, file, start, end };
}

/**
 * Items up to a closing token, which stays.
 *
 * @param end index of that token, or of the last one when it is missing
 */
function parseItems(p: Parser, closer: Kind, end: number): Item[] {
  const items: Item[] = [];
  const attributes = new Map<string, Attribute>();
  for (let kind = peek(p); kind !== closer && kind !== Kind.EndOfFile; kind = peek(p)) {
    if (kind === Kind.Newline) {
      advance(p);
      continue;
    }
    const first = p.at;
    const item = kind === Kind.Identifier ? parseItem(p) : undefined;
    if (item === undefined && !p.failed) failAtItem(p, kind);
    const isOfValue = p.failed && item?.kind === "attribute";
    const isSecond = item?.kind === "attribute" && !isFirst(p, attributes, item);
    const ended = item === undefined ? undefined : endItem(p, item);
    if (ended !== undefined && !isSecond) items.push(ended);
    if (p.failed) {
      const isConfined = recover(p, first, closer, end);
      if (!isOfValue || !isConfined) noteGap(p, first);
    }
  }
  return items;
}

/** Goes over the line end after an item. The value of an attribute that something else follows is not all of it. */
function endItem(p: Parser, item: Item): Item {
  if (p.failed || peek(p) === Kind.EndOfFile || accept(p, Kind.Newline)) return item;
  failItemEnd(p, item);
  return item.kind === "attribute" ? { ...item, expression: brokenAt(item.expression) } : item;
}

/** What begins with a token, and what was gone over after it, is not understood. */
function noteGap(p: Parser, first: number): void {
  const { file, tokens } = p;
  p.gaps.push({ file, start: tokens.starts[first]!, end: Math.max(p.lastEnd, tokens.starts[p.at]!) });
}

/**
 * Goes to the next line that may be an item: lines that cannot be one belong to the item that failed.
 *
 * @returns whether there can have been no other item in what it went over
 */
function recover(p: Parser, first: number, closer: Kind, end: number): boolean {
  let isConfined = recoverInBody(p, first, end);
  for (;;) {
    while (accept(p, Kind.Newline));
    const kind = peek(p);
    if (kind === closer || kind === Kind.EndOfFile || kind === Kind.Identifier || isQuotedName(p))
      return isConfined;
    isConfined = recoverInBody(p, p.at, end) && isConfined;
  }
}

/** Whether the next token begins `"name" =` or `"name":`, a mistake of its own. */
function isQuotedName(p: Parser): boolean {
  const next = p.tokens.kinds[p.partners[p.at]! + 1];
  return peek(p) === Kind.OpenQuote && (next === Kind.Assign || next === Kind.Colon);
}

/** Notes an attribute, or reports that it is set before: then it does not count. */
function isFirst(p: Parser, attributes: Map<string, Attribute>, attribute: Attribute): boolean {
  const earlier = attributes.get(attribute.name);
  if (earlier === undefined) attributes.set(attribute.name, attribute);
  else complainAboutDuplicate(p, earlier, attribute);
  return earlier === undefined;
}

function parseItem(p: Parser): Item | undefined {
  const start = tokenStart(p);
  const name = tokenText(p);
  advance(p);
  const nameRange = { file: p.file, start, end: p.lastEnd };
  switch (peek(p)) {
    case Kind.Assign:
      return finishAttribute(p, name, nameRange);
    case Kind.OpenQuote:
    case Kind.OpenBrace:
    case Kind.Identifier:
      return parseBlock(p, name, nameRange);
  }
  failAtName(p, name, nameRange);
  return undefined;
}

function finishAttribute(p: Parser, name: string, nameRange: Attribute["nameRange"]): Attribute {
  advance(p);
  const errors = p.diagnostics.length;
  const parsed = parseExpression(p);
  // Parts of it may have been passed over, or mean something else than what is written.
  const expression = p.diagnostics.length > errors ? brokenAt(parsed) : parsed;
  const { file, lastEnd: end } = p;
  return { kind: "attribute", name, nameRange, expression, file, start: nameRange.start, end };
}

function parseBlock(p: Parser, type: string, typeRange: Block["typeRange"]): Block | undefined {
  const { file } = p;
  const { start } = typeRange;
  const labels = parseLabels(p);
  if (p.failed) return undefined;
  const header = { file, start, end: p.lastEnd };
  if (peek(p) !== Kind.OpenBrace && !failHeader(p, type, labels, header)) return undefined;
  const opener = p.at;
  const bodyStart = tokenStart(p);
  const gaps = p.gaps.length;
  const items = enter(p) ? parseBlockItems(p, opener, type) : [];
  p.depth--;
  if (!p.failed && !accept(p, Kind.CloseBrace)) failUnclosedBlock(p, header, opener, items);
  const body = bodyOf(p, items, gaps, bodyStart, p.lastEnd);
  return { kind: "block", type, typeRange, labels, header, body, file, start, end: p.lastEnd };
}

/** From the opening brace to the closing one, which stays. */
function parseBlockItems(p: Parser, opener: number, type: string): Item[] {
  const partner = p.partners[opener]!;
  advance(p);
  const next = peek(p);
  return next === Kind.Newline || next === Kind.CloseBrace || next === Kind.EndOfFile
    ? parseItems(p, Kind.CloseBrace, partner === -1 ? p.tokens.count - 1 : partner)
    : parseSingleLine(p, opener, type);
}

/** `type { name = value }`: one attribute at most, all on a line. */
function parseSingleLine(p: Parser, opener: number, type: string): Item[] {
  const first = p.at;
  const isAttribute = peek(p) === Kind.Identifier && p.tokens.kinds[p.at + 1] === Kind.Assign;
  const item = isAttribute ? parseItem(p) : undefined;
  const items = item === undefined ? [] : [item];
  if (!p.failed && (!isAttribute || peek(p) !== Kind.CloseBrace)) failSingleLine(p, type);
  const partner = p.partners[opener]!;
  if (p.failed && partner !== -1) {
    recoverInBody(p, first, partner);
    noteGap(p, first);
    if (p.at < partner) items.push(...parseItems(p, Kind.CloseBrace, partner));
  }
  return items;
}
