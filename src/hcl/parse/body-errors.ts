/**
 * @module Errors in bodies: between attributes and blocks, and in the headers and braces of blocks.
 */
import type { SourceRange } from "../../diagnostics/source.ts";
import { quote } from "../print/quote.ts";
import { Kind } from "../scan/tokens.ts";
import type { Attribute, Block, Label } from "../tree.ts";
import { accept, complain, fail, failHere, lineOf, type Parser, peek } from "./parser.ts";
import { failUnclosed, indentation } from "./recovery.ts";

export function complainAboutDuplicate(p: Parser, earlier: Attribute, attribute: Attribute): void {
  const { name, nameRange } = attribute;
  const where = lineOf(p, earlier.start);
  const detail = `"${name}" is already set on ${where}. Each attribute may be set once; delete one of them.`;
  complain(p, "Attribute set twice", detail, nameRange.start, nameRange.end);
}

/** Tokens that an expression may go on with, but no item can begin with. */
const continuesExpression = (kind: Kind): boolean =>
  kind === Kind.Question ||
  kind === Kind.Colon ||
  kind === Kind.Dot ||
  (kind >= Kind.Or && kind <= Kind.Percent);

/** Fails at a token that begins neither an attribute nor a block. */
export function failAtItem(p: Parser, kind: Kind): void {
  if (continuesExpression(kind)) {
    failHere(
      p,
      "Expression over several lines",
      "An expression ends with its line unless brackets are open. Put it into parentheses: name = ( … ).",
    );
  } else if (kind === Kind.OpenQuote) {
    failHere(
      p,
      "Quoted name",
      "The name of an attribute or block is written without quotes here: name = VALUE.",
    );
  } else if (!failStrayCloser(p, kind)) {
    failHere(
      p,
      "Attribute or block expected",
      'Here there must be an attribute, name = VALUE, or a block, type "label" { … }.',
    );
  }
}

/** Fails at a closing bracket that closes nothing. */
function failStrayCloser(p: Parser, kind: Kind): boolean {
  const isCloser = kind === Kind.CloseBrace || kind === Kind.CloseBracket || kind === Kind.CloseParenthesis;
  if (!isCloser || p.partners[p.at] !== -1) return false;
  failHere(
    p,
    "Unexpected closing bracket",
    "Nothing is open that it could close. Delete it, or add what it closes.",
  );
  return true;
}

/** Fails at what follows an item on its line. */
export function failItemEnd(p: Parser, item: Attribute | Block): void {
  const kind = peek(p);
  if (failStrayCloser(p, kind)) return;
  const isBlock = item.kind === "block";
  if (kind === Kind.Comma) {
    failHere(
      p,
      `Comma after ${isBlock ? "a block" : "an attribute"}`,
      "Attributes and blocks end with their line. Delete the comma, and put what follows on a line of its own.",
    );
  } else if (isBlock) {
    failHere(p, "Missing line end after a block", "Put what follows the closing brace on a line of its own.");
  } else if (kind === Kind.CloseBrace) {
    failHere(
      p,
      "Missing line end",
      "The closing brace of a block with several lines stands on a line of its own.",
    );
  } else {
    failHere(
      p,
      "Missing line end after an attribute",
      `The value of "${item.name}" ends before this. Put what follows on a line of its own, or, if it is part of the value, put that into quotes.`,
    );
  }
}

/** Fails at what follows a name that is neither set nor a block's type. */
export function failAtName(p: Parser, name: string, range: SourceRange): void {
  const kind = peek(p);
  if (kind === Kind.Newline || kind === Kind.EndOfFile) {
    const detail = `"${name}" alone means nothing. Write ${name} = VALUE for an attribute, or ${name} { … } for a block.`;
    fail(p, "Attribute or block expected", detail, range.start, range.end);
  } else if (kind === Kind.Dot) {
    const detail = `An attribute's name has no dots. Write the nested values as an object: ${name} = { … }.`;
    failHere(p, 'Missing "="', detail);
  } else {
    failHere(
      p,
      'Missing "="',
      `After "${name}" there must be "=" and a value, or for a block its labels and "{".`,
    );
  }
}

/** Reports what stands instead of a block's brace. True when the brace follows on a later line. */
export function failHeader(p: Parser, type: string, labels: readonly Label[], range: SourceRange): boolean {
  const kind = peek(p);
  const written = labels.map((label) => (label.quoted ? quote(label.value) : label.value));
  const header = [type, ...written].join(" ");
  if (kind === Kind.Newline || kind === Kind.EndOfFile) {
    const detail = `A block's "{" stands on the line of its header: ${header} {`;
    const { at } = p;
    while (accept(p, Kind.Newline));
    if (peek(p) === Kind.OpenBrace) {
      complain(p, 'Missing "{"', detail, range.start, range.end);
      return true;
    }
    p.at = at;
    fail(p, 'Missing "{"', detail, range.start, range.end);
  } else if (kind === Kind.Assign) {
    const detail = `A block has no "=": write ${header} { … }. Only attributes, whose names have no labels, are set with "=".`;
    failHere(p, 'Block with "="', detail);
  } else {
    const detail = `After ${header} there must be another label, which is quoted text or an identifier, or "{".`;
    failHere(p, 'Missing "{"', detail);
  }
  return false;
}

export function failSingleLine(p: Parser, type: string): void {
  failHere(
    p,
    "Invalid block on one line",
    `On one line a block can have one attribute: ${type} { name = VALUE }. With more than that, each attribute and block in it needs a line of its own, and so does the closing brace.`,
  );
}

/**
 * Fails at a block without its closing brace, with a guess where that is missing.
 *
 * @param items what was found in the block
 */
export function failUnclosedBlock(
  p: Parser,
  header: SourceRange,
  opener: number,
  items: readonly (Attribute | Block)[],
): void {
  if (p.stopped) return;
  const guesses = [guessFromItems(p, opener, items), guessFromBraces(p, opener)];
  const [guess] = guesses.filter((one) => one !== undefined).sort((a, b) => a.at - b.at);
  if (guess === undefined) {
    failUnclosed(p, opener);
    return;
  }
  const name = p.text.slice(header.start, header.end);
  const where = lineOf(p, header.start);
  fail(
    p,
    "Unclosed block",
    `The block ${name} on ${where} is never closed. ${guess.text}`,
    header.start,
    header.end,
  );
}

interface Guess {
  /** Where in the file it points. */
  readonly at: number;
  readonly text: string;
}

/** The first item that is indented no more than the block itself hardly belongs to it. */
function guessFromItems(p: Parser, opener: number, items: readonly (Attribute | Block)[]): Guess | undefined {
  const limit = indentation(p, p.tokens.starts[opener]!);
  const item = items.find(({ start }) => indentation(p, start) <= limit);
  if (item === undefined) return undefined;
  const text = `By its indentation, what begins on ${lineOf(p, item.start)} does not belong to it: perhaps the "}" is missing before that.`;
  return { at: item.start, text };
}

/** Looking for a brace goes over the rest of the file, which a file with many errors must not make slow. */
const maximumGuesses = 20;

/** The first brace after an unclosed one whose partner stands at another indentation. */
function guessFromBraces(p: Parser, opener: number): Guess | undefined {
  const { kinds, starts, count } = p.tokens;
  if (p.diagnostics.length >= maximumGuesses) return undefined;
  for (let at = opener + 1; at < count; at++) {
    const partner = p.partners[at]!;
    if (kinds[at] !== Kind.OpenBrace || partner === -1) continue;
    const before = kinds[partner - 1];
    const startsLine = before === Kind.Newline || before === Kind.LineComment;
    const [start, end] = [starts[at]!, starts[partner]!];
    if (!startsLine || indentation(p, start) === indentation(p, end)) continue;
    const text = `By its indentation, the "}" on ${lineOf(p, end)} does not belong to the "{" on ${lineOf(p, start)} which it closes: perhaps that one lacks its "}".`;
    return { at: end, text };
  }
  return undefined;
}
