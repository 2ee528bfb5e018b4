/**
 * @module Bodies: attributes and blocks.
 *
 * Source: HCL Native Syntax Specification, "Structural Elements".
 */
import { parseExpression } from "./expression.ts";
import { parseLabels } from "./label.ts";
import {
  accept,
  advance,
  complain,
  enter,
  fail,
  failHere,
  lineOf,
  type Parser,
  peek,
  tokenStart,
  tokenText,
} from "./parser.ts";
import { failUnclosed, indentation, recoverInBody } from "./recovery.ts";
import { Kind } from "./tokens.ts";
import type { Attribute, Block, Body, Label } from "./tree.ts";

type Item = Attribute | Block;

/** All items up to the end of the file. */
export function parseRootBody(p: Parser): Body {
  const end = p.tokens.count - 1;
  const items = parseItems(p, Kind.EndOfFile, end);
  return { items, file: p.file, start: 0, end: p.text.length };
}

/**
 * Items up to a closing token, which stays.
 *
 * @param end index of that token, or of the last one when it is missing
 */
function parseItems(p: Parser, closer: Kind, end: number): Item[] {
  const items: Item[] = [];
  const attributes = new Map<string, Attribute>();
  for (;;) {
    const kind = peek(p);
    if (kind === closer || kind === Kind.EndOfFile) return items;
    if (kind === Kind.Newline) {
      advance(p);
      continue;
    }
    const first = p.at;
    const item = kind === Kind.Identifier ? parseItem(p) : failItem(p, kind);
    if (item !== undefined) {
      items.push(item);
      if (item.kind === "attribute") checkDuplicate(p, attributes, item);
    }
    if (!p.failed) finishItem(p, item);
    if (p.failed) recoverInBody(p, first, end);
  }
}

function checkDuplicate(p: Parser, attributes: Map<string, Attribute>, attribute: Attribute): void {
  const { name, nameRange } = attribute;
  const earlier = attributes.get(name);
  if (earlier === undefined) {
    attributes.set(name, attribute);
    return;
  }
  const where = lineOf(p, earlier.start);
  const detail = `"${name}" is already set on ${where}. Each attribute may be set once; delete one of them.`;
  complain(p, "Attribute set twice", detail, nameRange.start, nameRange.end);
}

function failItem(p: Parser, kind: Kind): undefined {
  if (kind === Kind.CloseBrace) {
    failHere(
      p,
      "Unexpected closing brace",
      "No block is open that it could close. Delete it, or add what it closes.",
    );
    advance(p);
    p.failed = false;
    accept(p, Kind.Newline);
    return undefined;
  }
  if (kind === Kind.OpenQuote) {
    failHere(
      p,
      "Quoted name",
      "The name of an attribute or block is written without quotes here: name = VALUE.",
    );
    return undefined;
  }
  failHere(
    p,
    "Attribute or block expected",
    'Here there must be an attribute, name = VALUE, or a block, type "label" { … }.',
  );
  return undefined;
}

/** Items end with their line. */
function finishItem(p: Parser, item: Item | undefined): void {
  const kind = peek(p);
  if (item === undefined || kind === Kind.EndOfFile || accept(p, Kind.Newline)) return;
  const what = item.kind === "attribute" ? "attribute" : "block";
  if (kind === Kind.Comma) {
    failHere(
      p,
      `Comma after ${what === "block" ? "a block" : "an attribute"}`,
      "Attributes and blocks end with their line. Delete the comma, and put what follows on a line of its own.",
    );
  } else if (kind === Kind.CloseBrace && what === "attribute") {
    failHere(
      p,
      "Missing line end",
      "The closing brace of a block with several lines stands on a line of its own.",
    );
  } else {
    failHere(
      p,
      `Missing line end after ${what === "block" ? "a block" : "an attribute"}`,
      `The ${what} "${item.kind === "attribute" ? item.name : item.type}" is complete here. Put what follows on a line of its own.`,
    );
  }
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
    case Kind.Newline:
    case Kind.EndOfFile:
      fail(
        p,
        "Attribute or block expected",
        `"${name}" alone means nothing. Write ${name} = VALUE for an attribute, or ${name} { … } for a block.`,
        start,
        nameRange.end,
      );
      return undefined;
    case Kind.Dot:
      failHere(
        p,
        'Missing "="',
        `An attribute's name has no dots. Write the nested values as an object: ${name} = { … }.`,
      );
      return undefined;
  }
  failHere(
    p,
    'Missing "="',
    `After "${name}" there must be "=" and a value, or for a block its labels and "{".`,
  );
  return undefined;
}

function finishAttribute(p: Parser, name: string, nameRange: Attribute["nameRange"]): Attribute {
  advance(p);
  const expression = parseExpression(p);
  return {
    kind: "attribute",
    name,
    nameRange,
    expression,
    file: p.file,
    start: nameRange.start,
    end: p.lastEnd,
  };
}

function parseBlock(p: Parser, type: string, typeRange: Block["typeRange"]): Block | undefined {
  const labels = parseLabels(p);
  if (p.failed) return undefined;
  const { start } = typeRange;
  const header = { file: p.file, start, end: p.lastEnd };
  if (peek(p) !== Kind.OpenBrace) {
    failHeader(p, type, labels, header.end);
    return undefined;
  }
  const opener = p.at;
  const bodyStart = tokenStart(p);
  const items = enter(p) ? parseBlockItems(p, opener, type) : [];
  p.depth--;
  const body: Body = { items, file: p.file, start: bodyStart, end: p.lastEnd };
  return { kind: "block", type, typeRange, labels, header, body, file: p.file, start, end: p.lastEnd };
}

function failHeader(p: Parser, type: string, labels: readonly Label[], end: number): void {
  const kind = peek(p);
  const header = [
    type,
    ...labels.map((label) => (label.quoted ? JSON.stringify(label.value) : label.value)),
  ].join(" ");
  if (kind === Kind.Assign) {
    failHere(
      p,
      'Block with "="',
      `A block has no "=": write ${header} { … }. Only attributes, whose names have no labels, are set with "=".`,
    );
  } else if (kind === Kind.Newline || kind === Kind.EndOfFile) {
    fail(
      p,
      'Missing "{"',
      `A block's "{" stands on the line of its header: ${header} {`,
      Math.max(0, end - 1),
      end,
    );
  } else {
    failHere(
      p,
      'Missing "{"',
      `After ${header} there must be another label, which is quoted text or an identifier, or "{".`,
    );
  }
}

/** From the opening brace over the closing one. */
function parseBlockItems(p: Parser, opener: number, type: string): Item[] {
  const partner = p.partners[opener]!;
  advance(p);
  const next = peek(p);
  const items =
    next === Kind.Newline || next === Kind.CloseBrace || next === Kind.EndOfFile
      ? parseItems(p, Kind.CloseBrace, partner === -1 ? p.tokens.count - 1 : partner)
      : parseSingleLine(p, opener, type);
  if (p.failed) return items;
  if (!accept(p, Kind.CloseBrace)) failUnclosedBlock(p, opener, type);
  return items;
}

/** `type { name = value }`: one attribute at most, all on a line. */
function parseSingleLine(p: Parser, opener: number, type: string): Item[] {
  const first = p.at;
  const wrong = (): void =>
    failHere(
      p,
      "Invalid block on one line",
      `On one line a block can have one attribute: ${type} { name = VALUE }. With more than that, each attribute and block in it needs a line of its own, and so does the closing brace.`,
    );
  const items: Item[] = [];
  if (peek(p) === Kind.Identifier && p.tokens.kinds[p.at + 1] === Kind.Assign) {
    const item = parseItem(p);
    if (item !== undefined) items.push(item);
    if (!p.failed && peek(p) !== Kind.CloseBrace) wrong();
  } else {
    wrong();
  }
  const partner = p.partners[opener]!;
  if (p.failed && partner !== -1) {
    recoverInBody(p, first, partner);
    if (p.at < partner) items.push(...parseItems(p, Kind.CloseBrace, partner));
  }
  return items;
}

function failUnclosedBlock(p: Parser, opener: number, type: string): void {
  const start = p.tokens.starts[opener]!;
  const suspect = !p.stopped && p.diagnostics.length < maximumSuspects ? findSuspect(p, opener) : undefined;
  if (suspect === undefined) {
    failUnclosed(p, opener);
    return;
  }
  const [line, closer] = [suspect, p.partners[suspect]!].map((token) => lineOf(p, p.tokens.starts[token]!));
  fail(
    p,
    "Unclosed block",
    `The block "${type}" on ${lineOf(p, start)} is never closed. By its indentation, the "}" on ${closer} does not belong to the "{" on ${line} which it closes: perhaps that one lacks its "}".`,
    start,
    start + 1,
  );
}

/** Looking for one goes over the rest of the file, which a file with many errors must not make slow. */
const maximumSuspects = 20;

/** The first brace after an unclosed one whose partner stands at another indentation. */
function findSuspect(p: Parser, opener: number): number | undefined {
  const { kinds, count } = p.tokens;
  for (let at = opener + 1; at < count; at++) {
    const partner = p.partners[at]!;
    if (kinds[at] !== Kind.OpenBrace || partner === -1) continue;
    const before = kinds[partner - 1];
    const startsLine = before === Kind.Newline || before === Kind.LineComment;
    if (startsLine && indentation(p, at) !== indentation(p, partner)) return at;
  }
  return undefined;
}
