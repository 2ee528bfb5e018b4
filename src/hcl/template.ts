/**
 * @module Quoted templates, heredocs and template files: text with `${…}` and `%{…}`.
 *
 * Read in two steps, as HCL does: a flat list of pieces, on which `~` markers and a heredoc's indentation act, and
 * then the tree of the directives among them.
 * Source: HCL Native Syntax Specification, "Templates".
 */

import { leadingWhiteSpace, trimEnd } from "./characters.ts";
import { decodeToken, normalizeText } from "./literal.ts";
import {
  accept,
  advance,
  complain,
  fail,
  failHere,
  isKeyword,
  lineOf,
  type Parser,
  peek,
  placeholder,
  raise,
  tokenStart,
  tokenText,
} from "./parser.ts";
import { flushIndentation } from "./template-indentation.ts";
import { buildTemplate, type Piece } from "./template-tree.ts";
import { Kind } from "./tokens.ts";
import type { Expression, Template, TemplatePart } from "./tree.ts";

/** How a template's expressions are parsed; handed in because expressions hold templates in turn. */
export type ParseExpression = (p: Parser) => Expression;

/** The quoted template or heredoc at the parser's place. */
export function parseTemplate(p: Parser, parseExpression: ParseExpression): Template {
  const opener = p.at;
  const start = tokenStart(p);
  const introducer = tokenText(p);
  const quoted = peek(p) === Kind.OpenQuote;
  advance(p);
  const indented = introducer.startsWith("<<-");
  const closer = quoted ? Kind.CloseQuote : Kind.CloseHeredoc;
  const parts = parseParts(p, closer, opener, indented, parseExpression);
  if (peek(p) === closer) advance(p);
  raise(p, p.height, start);
  const range = { file: p.file, start, end: p.lastEnd };
  if (quoted) return { kind: "template", form: "quoted", parts, ...range };
  const marker = introducer.slice(indented ? 3 : 2).trimEnd();
  return { kind: "template", form: "heredoc", heredoc: { marker, indented }, parts, ...range };
}

/**
 * Parts up to a closing token, which stays. Sets the parser's height to that of the highest expression.
 *
 * @param opener token that began the template; -1 for a template file
 */
export function parseParts(
  p: Parser,
  closer: Kind,
  opener: number,
  indented: boolean,
  parseExpression: ParseExpression,
): TemplatePart[] {
  const pieces: Piece[] = [];
  let height = 0;
  let stripNext = false;
  let brokenLines = 0;
  for (;;) {
    const kind = peek(p);
    if (kind === closer) break;
    if (kind === Kind.QuotedText || kind === Kind.PlainText) {
      pieces.push(parseText(p, kind, stripNext));
      stripNext = false;
    } else if (kind === Kind.OpenInterpolation || kind === Kind.OpenDirective) {
      if (tokenText(p).length === 3) stripLast(pieces);
      const piece = parseSequence(p, kind, closer, parseExpression);
      height = Math.max(height, p.height);
      stripNext = piece?.strip.right ?? false;
      if (piece !== undefined) pieces.push(piece);
      if (p.failed) break;
    } else if (kind === Kind.BrokenLine && p.tokens.ends[p.at]! > tokenStart(p)) {
      if (brokenLines++ === 0) complainAboutLines(p, opener);
      advance(p);
    } else {
      if (failAtEnd(p, kind, opener)) break;
    }
  }
  if (indented) flushIndentation(pieces);
  p.height = height;
  return buildTemplate(p, withoutEmpty(meld(pieces)), opener);
}

function parseText(p: Parser, kind: Kind, strip: boolean): Piece {
  const start = tokenStart(p);
  const text = decodeToken(p, kind);
  advance(p);
  const value = strip ? text.slice(leadingWhiteSpace(text)) : text;
  return { kind: "literal", value, start, end: p.lastEnd };
}

/** A `${~` strips the text directly before it, which is at most one line: HCL's scanner splits text at line ends. */
function stripLast(pieces: Piece[]): void {
  const last = pieces[pieces.length - 1];
  if (last?.kind === "literal") pieces[pieces.length - 1] = { ...last, value: trimEnd(last.value) };
}

/** Joins neighbouring literals, after everything that acts on single ones. */
function meld(pieces: readonly Piece[]): Piece[] {
  const melded: Piece[] = [];
  let texts: string[] = [];
  const flush = (next: number): void => {
    const last = melded[melded.length - 1];
    if (texts.length > 0 && last?.kind === "literal") {
      melded[melded.length - 1] = { ...last, value: normalizeText(texts.join("")), end: next };
    }
    texts = [];
  };
  let end = 0;
  for (const piece of pieces) {
    if (piece.kind !== "literal") {
      flush(end);
      melded.push(piece);
    } else {
      if (texts.length === 0) melded.push(piece);
      texts.push(piece.value);
      end = piece.end;
    }
  }
  flush(end);
  return melded;
}

/**
 * Drops texts of which nothing is left. One stays beside a lone interpolation: it is what makes the template a text
 * and not the interpolation's value itself.
 */
function withoutEmpty(pieces: readonly Piece[]): readonly Piece[] {
  const isEmpty = (piece: Piece): boolean => piece.kind === "literal" && piece.value === "";
  const rest = pieces.filter((piece) => !isEmpty(piece));
  if (rest.length !== 1 || rest[0]!.kind !== "interpolation") return rest;
  const empty = pieces.findIndex(isEmpty);
  return pieces.filter((piece, index) => index === empty || !isEmpty(piece));
}

type Sequence = Exclude<Piece, { kind: "literal" }>;

function parseSequence(
  p: Parser,
  kind: Kind,
  closer: Kind,
  parseExpression: ParseExpression,
): Sequence | undefined {
  const opener = p.at;
  const start = tokenStart(p);
  const left = tokenText(p).length === 3;
  advance(p);
  const newlines = p.newlines;
  p.newlines = false;
  p.height = 0;
  const content =
    kind === Kind.OpenInterpolation
      ? ({ kind: "interpolation", expression: parseExpression(p) } as const)
      : parseDirective(p, parseExpression);
  const right = closeSequence(p, opener, closer);
  p.newlines = newlines;
  return content === undefined ? undefined : { ...content, strip: { left, right }, start, end: p.lastEnd };
}

/** Goes over the closing brace, and over what stands before it when something is wrong. Tells whether it has a `~`. */
function closeSequence(p: Parser, opener: number, templateCloser: Kind): boolean {
  const kind = p.failed ? undefined : peek(p);
  if (kind !== Kind.CloseSequence) {
    const partner = p.partners[opener]!;
    const start = p.tokens.starts[opener]!;
    const unclosed =
      partner === -1 ||
      kind === Kind.EndOfFile ||
      (kind === Kind.OpenQuote && templateCloser === Kind.CloseQuote);
    if (unclosed) {
      const sign = p.text.slice(start, start + 2);
      fail(
        p,
        "Unclosed template sequence",
        `The "${sign}" on ${lineOf(p, start)} has no "}". If it is meant as text, for example for a shell, write "${sign[0]}${sign}".`,
        start,
        p.tokens.ends[opener]!,
      );
      if (partner === -1) return false;
    } else {
      failHere(
        p,
        "Unexpected text in a template sequence",
        'The sequence must end with "}" here. If it is meant as text, for example for a shell, write "$${" instead of "${", or "%%{" instead of "%{".',
      );
    }
    p.failed = false;
    p.at = partner;
  }
  const strip = p.text[tokenStart(p)] === "~";
  advance(p);
  return strip;
}

type Directive = Sequence extends infer S
  ? S extends Sequence
    ? Omit<S, "strip" | "start" | "end">
    : never
  : never;

function parseDirective(p: Parser, parseExpression: ParseExpression): Directive | undefined {
  const keyword = peek(p) === Kind.Identifier ? tokenText(p) : "";
  switch (keyword) {
    case "if":
      advance(p);
      return { kind: "if", condition: parseExpression(p) };
    case "for":
      advance(p);
      return parseFor(p, parseExpression);
    case "else":
    case "endif":
    case "endfor":
      advance(p);
      return { kind: keyword };
  }
  failHere(
    p,
    "Invalid template directive",
    'After "%{" there must be if, else, endif, for or endfor. If it is meant as text, write "%%{".',
  );
  return undefined;
}

function parseFor(p: Parser, parseExpression: ParseExpression): Directive {
  const names = parseForNames(p, "a template's for directive");
  const collection = p.failed ? placeholder(p) : parseExpression(p);
  return { kind: "for", ...names, collection };
}

/** `k, v in`, common to directives and `for` expressions. */
export function parseForNames(
  p: Parser,
  what: string,
): { readonly keyName: string | undefined; readonly valueName: string } {
  const explanation = `It is written ${what.includes("directive") ? "%{ for NAME in COLLECTION }" : "for NAME in COLLECTION : …"}, with "KEY, NAME" for both key and value.`;
  const name = (): string => {
    if (peek(p) !== Kind.Identifier) {
      failHere(
        p,
        "Missing variable name",
        `${what[0]!.toUpperCase()}${what.slice(1)} needs a name here. ${explanation}`,
      );
      return "";
    }
    const text = tokenText(p);
    advance(p);
    return text;
  };
  const first = name();
  const second = !p.failed && accept(p, Kind.Comma) ? name() : undefined;
  if (!p.failed) {
    if (isKeyword(p, "in")) advance(p);
    else failHere(p, 'Missing "in"', `The word "in" must follow the names of ${what}. ${explanation}`);
  }
  return second === undefined
    ? { keyName: undefined, valueName: first }
    : { keyName: first, valueName: second };
}

function complainAboutLines(p: Parser, opener: number): void {
  const start = p.tokens.starts[opener]!;
  complain(
    p,
    "Line end in quotes",
    'Quoted text must end on the line it begins on. Write a line end as \\n, or the text as a heredoc that begins with "<<EOT" and ends with a line "EOT".',
    start,
    tokenStart(p),
  );
}

/** Fails at a token that no template can hold; true when the template ends with it. */
function failAtEnd(p: Parser, kind: Kind, opener: number): boolean {
  if (kind === Kind.Invalid) {
    failHere(p, "Invalid character", "Delete it.");
    p.failed = false;
    advance(p);
    return false;
  }
  const start = opener === -1 ? tokenStart(p) : p.tokens.starts[opener]!;
  if (p.tokens.kinds[opener] === Kind.OpenHeredoc) {
    const end = p.text.indexOf("\n", start);
    const introducer = p.text.slice(start, end).trimEnd();
    const marker = introducer.replace(/^<<-?/, "");
    fail(p, "Unclosed heredoc", explainUnclosed(p, marker, end + 1), start, start + introducer.length);
  } else {
    const line = p.file.lineOf(start);
    fail(
      p,
      "Unclosed quotes",
      `The text that begins on line ${line} has no closing quote ("). Add it where the text ends; a quote inside the text is written \\".`,
      start,
      Math.max(start + 1, Math.min(tokenStart(p), p.text.length)),
    );
    if (kind === Kind.BrokenLine) {
      p.failed = false;
      advance(p);
    }
  }
  return true;
}

function explainUnclosed(p: Parser, marker: string, from: number): string {
  const begin = `A heredoc ends with a line that holds only its marker, ${marker}`;
  const lines = p.text.slice(from).split("\n");
  const index = lines.findIndex((line) => line.trimStart().startsWith(marker));
  if (index === -1) return `${begin}. Add that line after the text.`;
  const where = `line ${p.file.lineOf(from) + index}`;
  return lines[index]!.trim() === marker
    ? `${begin}, and with its line end: the file ends directly after the marker on ${where}. Add a line end there.`
    : `${begin}. On ${where} something follows the marker: put it on the next line.`;
}
