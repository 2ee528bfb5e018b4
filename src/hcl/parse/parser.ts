/**
 * @module What the functions of the parser share: the position in the tokens, reading them, and reporting errors.
 *
 * Functions that meet an error call {@link fail} once and return some node; {@link Parser.failed} makes every
 * function above return without complaining again, up to one that knows where to go on and clears it.
 */
import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { SourceFile, SourceRange } from "../../diagnostics/source.ts";
import { matchBrackets } from "../scan/brackets.ts";
import { explainInvalid } from "../scan/invalid.ts";
import { scan } from "../scan/scan.ts";
import type { ScanMode } from "../scan/scanner.ts";
import { Kind, type Tokens } from "../scan/tokens.ts";
import type { Expression, KeywordLiteral } from "../tree.ts";

/**
 * How deep expressions and blocks may be nested, and how deep a tree may become through chained operators: half of what
 * the default stack has room for.
 */
const maximumDepth = 500;

export interface Parser {
  readonly file: SourceFile;
  readonly text: string;
  readonly tokens: Tokens;
  /** Partner of each bracket, by token; see `brackets.ts`. */
  readonly partners: Int32Array;
  readonly diagnostics: Diagnostic[];
  /** Next token, comments and (inside brackets) line ends included. */
  at: number;
  /** Where the token before that ends. */
  lastEnd: number;
  /** Whether line ends count: at the top level of bodies and objects, not inside brackets. */
  newlines: boolean;
  /** Set by {@link fail} until somebody recovers. */
  failed: boolean;
  /** Set when nothing more is parsed or reported. */
  stopped: boolean;
  /** Nesting of the code being parsed. */
  depth: number;
  /** Ranges of bodies' text that was not understood, in the order of the file. */
  readonly gaps: SourceRange[];
  /** Height of the expression parsed last: what keeps trees from becoming too deep for those who walk them. */
  height: number;
}

/** How expressions are parsed: handed to those of its parts that hold expressions in turn. */
export type ParseExpression = (p: Parser) => Expression;

export function createParser(file: SourceFile, mode: ScanMode): Parser {
  const tokens = scan(file.text, mode);
  return {
    file,
    text: file.text,
    tokens,
    partners: matchBrackets(tokens),
    diagnostics: [],
    at: 0,
    lastEnd: 0,
    newlines: true,
    failed: false,
    stopped: false,
    gaps: [],
    depth: 0,
    height: 0,
  };
}

/** Kind of the next token. Moves over comments, and over line ends where they do not count. */
export function peek(p: Parser): Kind {
  const { kinds } = p.tokens;
  for (;;) {
    const kind = kinds[p.at] as Kind;
    if (kind === Kind.LineComment) {
      if (p.newlines) return Kind.Newline;
    } else if (kind === Kind.Newline) {
      if (p.newlines) return kind;
    } else if (kind !== Kind.Comment) {
      return kind;
    }
    p.at++;
  }
}

/** Goes over the token that {@link peek} returned. The end of the file stays. */
export function advance(p: Parser): void {
  p.lastEnd = p.tokens.ends[p.at]!;
  if (p.at < p.tokens.count - 1) p.at++;
}

/** Goes over the next token if it is of a kind. */
export function accept(p: Parser, kind: Kind): boolean {
  if (peek(p) !== kind) return false;
  advance(p);
  return true;
}

/** Where the token that {@link peek} returned begins. */
export const tokenStart = (p: Parser): number => p.tokens.starts[p.at]!;

export const tokenText = (p: Parser): string => p.text.slice(p.tokens.starts[p.at], p.tokens.ends[p.at]);

export const isKeyword = (p: Parser, keyword: string): boolean =>
  peek(p) === Kind.Identifier && tokenText(p) === keyword;

/** Reports an error in a range and stops everybody up to the next token where parsing can go on. */
export function fail(p: Parser, summary: string, detail: string, start: number, end: number): void {
  if (p.failed) return;
  p.failed = true;
  complain(p, summary, detail, start, end);
}

/** Reports an error that nobody has to recover from. */
export function complain(p: Parser, summary: string, detail: string, start: number, end: number): void {
  if (p.stopped) return;
  p.diagnostics.push(errorDiagnostic(summary, detail, { range: { file: p.file, start, end } }));
}

/** Fails at the next token, or before it at the end of a line. Where the token can stand nowhere, says so instead of what was expected. */
export function failHere(p: Parser, summary: string, detail: string): void {
  if (p.failed) return;
  const kind = peek(p);
  const atLineEnd = kind === Kind.Newline || kind === Kind.EndOfFile;
  const start = atLineEnd ? Math.max(0, p.lastEnd - 1) : tokenStart(p);
  const end = atLineEnd ? p.lastEnd : p.tokens.ends[p.at]!;
  const known = explainInvalid(p.tokens, p.at, p.text);
  if (known === undefined) fail(p, summary, detail, start, end);
  else fail(p, known.summary, known.detail, known.start ?? start, known.end ?? end);
}

/** Goes one level deeper; false (and failed) at the limit. To be undone by `p.depth--` in both cases. */
export function enter(p: Parser): boolean {
  if (++p.depth <= maximumDepth) return true;
  failTooDeep(p, tokenStart(p), tokenStart(p) + 1);
  return false;
}

/** Fails when directives are nested too deep in a template. */
export function checkDepth(p: Parser, levels: number, start: number, end: number): boolean {
  if (p.depth + levels <= maximumDepth) return true;
  failTooDeep(p, start, end);
  return false;
}

/** Notes the height of a node over its highest child; fails at the limit. */
export function raise(p: Parser, childHeight: number, start: number): void {
  p.height = childHeight + 1;
  if (p.height > maximumDepth) failTooDeep(p, start, p.lastEnd);
}

/** Reports the limit and goes to the end of the file: what follows would be parsed at a wrong level. */
function failTooDeep(p: Parser, start: number, end: number): void {
  if (p.failed) return;
  fail(
    p,
    "Nesting too deep",
    `Blocks and expressions may be nested ${maximumDepth} levels deep, counting each operator of a chain. Move parts of this into local values.`,
    start,
    end,
  );
  p.stopped = true;
  p.at = p.tokens.count - 1;
}

/** Stands where an expression is missing or wrong. Nobody sees it unless they look at a tree that has errors. */
export function placeholder(p: Parser): KeywordLiteral {
  const start = Math.min(tokenStart(p), p.text.length);
  return { kind: "keyword", value: null, file: p.file, start, end: start };
}

/** Line of an offset, as messages name it. */
export const lineOf = (p: Parser, offset: number): string => `line ${p.file.lineOf(offset)}`;
