/**
 * @module Quoted templates, heredocs and template files: text with `${…}` and `%{…}`.
 *
 * Read in two steps, as HCL does: a flat list of pieces, on which `~` markers and a heredoc's indentation act, and
 * then the tree of the directives among them.
 * Source: HCL Native Syntax Specification, "Templates".
 */
import { identifierPattern } from "../../values/identifier.ts";
import { leadingWhiteSpace, trimEnd } from "../scan/characters.ts";
import { Kind } from "../scan/tokens.ts";
import type { Template, TemplatePart } from "../tree.ts";
import { decodeToken, hasEscapes, normalizeText } from "./literal.ts";
import {
  advance,
  complain,
  fail,
  failHere,
  type ParseExpression,
  type Parser,
  peek,
  raise,
  tokenStart,
  tokenText,
} from "./parser.ts";
import { flushIndentation } from "./template-indentation.ts";
import { parseSequence } from "./template-sequence.ts";
import { buildTemplate, type Piece } from "./template-tree.ts";

/** The quoted template or heredoc at the parser's position. */
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
  const marker = readMarker(p, introducer, start);
  return { kind: "template", form: "heredoc", heredoc: { marker, indented }, parts, ...range };
}

const introducerForm = new RegExp(String.raw`^<<-?(["']?)(${identifierPattern})\1(.*)`, "su");

/** The marker of a heredoc. Complains about what the scanner lets through around it. */
function readMarker(p: Parser, introducer: string, start: number): string {
  const [, quotes = "", marker = "", rest = ""] = introducerForm.exec(introducer) ?? [];
  const end = start + introducer.trimEnd().length;
  if (quotes !== "") {
    const detail = `A heredoc's marker has no quotes: <<${marker}. Its sequences are always read: what begins with "\${" and is meant as text begins with "$\${".`;
    complain(p, "Quoted heredoc marker", detail, start, end);
  } else if (!/^\r?\n$/.test(rest)) {
    const detail = `The line must end directly after ${marker}, without blanks or a comment.`;
    complain(
      p,
      "Text after a heredoc's marker",
      detail,
      start,
      Math.max(end, start + introducer.indexOf(marker) + marker.length),
    );
  }
  return marker;
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
      parseText(p, kind, pieces, stripNext, indented);
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

/**
 * Adds the text up to the next sequence: token by token where escapes, markers or indentation act on single ones, at
 * once where nothing does.
 *
 * @param strip whether the sequence before ended with a marker
 */
function parseText(p: Parser, kind: Kind, pieces: Piece[], strip: boolean, indented: boolean): void {
  const { kinds, starts, ends } = p.tokens;
  let last = p.at;
  while (kinds[last + 1] === kind) last++;
  const next = last + 1;
  const isOpening = kinds[next] === Kind.OpenInterpolation || kinds[next] === Kind.OpenDirective;
  const isStripped = isOpening && ends[next]! - starts[next]! === 3;
  const value = p.text.slice(starts[p.at], ends[last]);
  if (!indented && !strip && !isStripped && !hasEscapes(value)) {
    pieces.push({ kind: "literal", value, file: p.file, start: starts[p.at]!, end: ends[last]! });
    p.at = last;
    advance(p);
    return;
  }
  for (let isFirst = true; p.at <= last; isFirst = false) {
    const start = tokenStart(p);
    const text = decodeToken(p, kind);
    advance(p);
    const kept = strip && isFirst ? text.slice(leadingWhiteSpace(text)) : text;
    pieces.push({ kind: "literal", value: kept, file: p.file, start, end: p.lastEnd });
  }
}

/** A `${~` strips the text directly before it, which is at most one line: HCL's scanner splits text at line ends. */
function stripLast(pieces: Piece[]): void {
  const last = pieces[pieces.length - 1];
  if (last?.kind === "literal") pieces[pieces.length - 1] = { ...last, value: trimEnd(last.value) };
}

/** Joins neighbouring literals, after everything that acts on single ones. */
function meld(pieces: readonly Piece[]): Piece[] {
  const melded: Piece[] = [];
  for (let at = 0; at < pieces.length; at++) {
    const piece = pieces[at]!;
    if (piece.kind !== "literal") {
      melded.push(piece);
      continue;
    }
    let value = piece.value;
    let end = piece.end;
    for (let next = pieces[at + 1]; next?.kind === "literal"; next = pieces[++at + 1]) {
      value += next.value;
      end = next.end;
    }
    melded.push({ kind: "literal", value: normalizeText(value), file: piece.file, start: piece.start, end });
  }
  return melded;
}

/**
 * Drops texts of which nothing is left. One stays beside a lone interpolation: it is what makes the template a text
 * and not the interpolation's value itself.
 */
function withoutEmpty(pieces: readonly Piece[]): readonly Piece[] {
  const isEmpty = (piece: Piece): boolean => piece.kind === "literal" && piece.value === "";
  if (!pieces.some(isEmpty)) return pieces;
  const rest = pieces.filter((piece) => !isEmpty(piece));
  if (rest.length !== 1 || rest[0]!.kind !== "interpolation") return rest;
  const empty = pieces.findIndex(isEmpty);
  return pieces.filter((piece, index) => index === empty || !isEmpty(piece));
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
