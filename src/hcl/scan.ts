/**
 * @module Text → tokens.
 *
 * Quotes, heredocs and template sequences nest in each other, so the scanner keeps a stack of where it is. It
 * accepts every text: what cannot be a token becomes an `Invalid` one, about which the parser complains.
 * Source: HCL Native Syntax Specification, "Lexical Elements" and "Templates".
 */
import { isDigit, isIdentifierPart, isIdentifierStart, isWhiteSpace } from "./characters.ts";
import { continuesQuote } from "./scan-broken-quote.ts";
import { Kind, TokenBuffer, type Tokens } from "./tokens.ts";

/** `configuration` also for a lone expression; `template` for a template file, which is text until a sequence begins. */
export type ScanMode = "configuration" | "template";

/** One nesting level. `braces` counts the open braces of a configuration or sequence; the marker is a heredoc's. */
type Level =
  | { readonly kind: "code"; readonly sequence: boolean; braces: number }
  | { readonly kind: "quoted" }
  | { readonly kind: "heredoc"; readonly marker: string; lineStart: boolean }
  | { readonly kind: "template" };

interface Scanner {
  readonly text: string;
  readonly buffer: TokenBuffer;
  readonly levels: Level[];
  level: Level;
  at: number;
}

export function scan(text: string, mode: ScanMode): Tokens {
  const level: Level =
    mode === "template" ? { kind: "template" } : { kind: "code", sequence: false, braces: 0 };
  const start = text.charCodeAt(0) === byteOrderMark ? 1 : 0;
  const s: Scanner = { text, buffer: new TokenBuffer(text.length), levels: [level], level, at: start };
  while (s.at < text.length) {
    switch (s.level.kind) {
      case "code":
        scanCode(s, s.level);
        break;
      case "quoted":
        scanQuoted(s);
        break;
      case "heredoc":
        scanHeredoc(s, s.level);
        break;
      case "template":
        scanTemplate(s);
    }
  }
  s.buffer.add(Kind.EndOfFile, text.length, text.length);
  return s.buffer.tokens();
}

const byteOrderMark = 0xfeff;
const tab = 9;
const lineFeed = 10;
const carriageReturn = 13;
const space = 32;
const quote = 34;
const hash = 35;
const dollar = 36;
const percent = 37;
const star = 42;
const minus = 45;
const dot = 46;
const slash = 47;
const less = 60;
const backslash = 92;
const openBrace = 123;
const closeBrace = 125;
const tilde = 126;

function push(s: Scanner, level: Level): void {
  s.levels.push(level);
  s.level = level;
}

function pop(s: Scanner): void {
  s.levels.pop();
  s.level = s.levels[s.levels.length - 1]!;
}

/** Adds the token that begins here and goes on after it. */
function emit(s: Scanner, kind: Kind, length: number): void {
  s.buffer.add(kind, s.at, s.at + length);
  s.at += length;
}

/** Operators and brackets of one character, by its code; 0 is none of them. */
const single = new Uint8Array(128);
/** Operators of two characters, by the code of the first: the second's code and the kind. */
const double: (readonly [second: number, kind: Kind] | undefined)[] = Array.from({ length: 128 });
for (const [operator, kind] of [
  ["[", Kind.OpenBracket],
  ["]", Kind.CloseBracket],
  ["(", Kind.OpenParenthesis],
  [")", Kind.CloseParenthesis],
  [".", Kind.Dot],
  [",", Kind.Comma],
  [":", Kind.Colon],
  ["?", Kind.Question],
  ["=", Kind.Assign],
  ["<", Kind.Less],
  [">", Kind.Greater],
  ["+", Kind.Plus],
  ["-", Kind.Minus],
  ["*", Kind.Star],
  ["/", Kind.Slash],
  ["%", Kind.Percent],
  ["!", Kind.Not],
] as const) {
  single[operator.charCodeAt(0)] = kind;
}
for (const [operator, kind] of [
  ["::", Kind.DoubleColon],
  ["!=", Kind.NotEqual],
  ["<=", Kind.LessOrEqual],
  [">=", Kind.GreaterOrEqual],
  ["&&", Kind.And],
  ["||", Kind.Or],
] as const) {
  double[operator.charCodeAt(0)] = [operator.charCodeAt(1), kind];
}

function scanCode(s: Scanner, level: Level & { kind: "code" }): void {
  const { text } = s;
  let code = text.charCodeAt(s.at);
  while (code === space || code === tab) code = text.charCodeAt(++s.at);
  if (s.at >= text.length) return;
  if (isIdentifierStart(code < 128 ? code : text.codePointAt(s.at)!)) {
    return emit(s, Kind.Identifier, identifierLength(text, s.at));
  }
  if (isDigit(code)) return emit(s, Kind.Number, numberLength(text, s.at));
  const next = text.charCodeAt(s.at + 1);
  switch (code) {
    case lineFeed:
      return emit(s, Kind.Newline, 1);
    case carriageReturn:
      return next === lineFeed ? emit(s, Kind.Newline, 2) : emit(s, Kind.Invalid, 1);
    case quote:
      emit(s, Kind.OpenQuote, 1);
      return push(s, { kind: "quoted" });
    case openBrace:
      level.braces++;
      return emit(s, Kind.OpenBrace, 1);
    case closeBrace:
      return scanCloseBrace(s, level);
    case tilde:
      return next === closeBrace ? closeSequence(s, level, 2) : emit(s, Kind.Invalid, 1);
    case hash:
      return scanLineComment(s);
    case slash:
      if (next === slash) return scanLineComment(s);
      if (next === star) return scanBlockComment(s);
      break;
    case less:
      if (next === less && openHeredoc(s)) return;
  }
  scanOperator(s, code, next);
}

function scanOperator(s: Scanner, code: number, next: number): void {
  if (code === 61 && next === 61) return emit(s, Kind.Equal, 2);
  if (code === 61 && next === 62) return emit(s, Kind.FatArrow, 2);
  if (code === dot && next === dot && s.text.charCodeAt(s.at + 2) === dot) return emit(s, Kind.Ellipsis, 3);
  const pair = double[code];
  if (pair !== undefined && pair[0] === next) return emit(s, pair[1], 2);
  const kind = single[code];
  if (kind) return emit(s, kind as Kind, 1);
  emit(s, Kind.Invalid, s.text.codePointAt(s.at)! > 0xffff ? 2 : 1);
}

function scanCloseBrace(s: Scanner, level: Level & { kind: "code" }): void {
  if (level.sequence && level.braces === 0) return closeSequence(s, level, 1);
  if (level.braces > 0) level.braces--;
  emit(s, Kind.CloseBrace, 1);
}

function closeSequence(s: Scanner, level: Level & { kind: "code" }, length: number): void {
  emit(s, Kind.CloseSequence, length);
  if (level.sequence && level.braces === 0) pop(s);
  else if (level.braces > 0) level.braces--;
}

function identifierLength(text: string, start: number): number {
  let at = start;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code < 128) {
      if (!isIdentifierPart(code)) break;
      at++;
    } else {
      const point = text.codePointAt(at);
      if (point === undefined || !isIdentifierPart(point)) break;
      at += point > 0xffff ? 2 : 1;
    }
  }
  return at - start;
}

/** Digits, dots and exponents in any order, so that `1.2.3` is one (wrong) number; a dot at the end is not part of it. */
function numberLength(text: string, start: number): number {
  let at = start;
  let end = start;
  for (;;) {
    const code = text.charCodeAt(at);
    if (isDigit(code)) end = ++at;
    else if (code === dot) at++;
    else if (code === 101 || code === 69) {
      const sign = text.charCodeAt(at + 1);
      const digit = sign === 43 || sign === minus ? at + 2 : at + 1;
      if (!isDigit(text.charCodeAt(digit))) break;
      at = digit + 1;
      end = at;
    } else break;
  }
  return end - start;
}

function scanLineComment(s: Scanner): void {
  const end = s.text.indexOf("\n", s.at);
  if (end === -1) emit(s, Kind.Comment, s.text.length - s.at);
  else emit(s, Kind.LineComment, end + 1 - s.at);
}

function scanBlockComment(s: Scanner): void {
  const end = s.text.indexOf("*/", s.at + 2);
  if (end === -1) emit(s, Kind.UnclosedComment, s.text.length - s.at);
  else emit(s, Kind.Comment, end + 2 - s.at);
}

/** Whether a heredoc begins here: marker and line end must follow each other directly. */
function openHeredoc(s: Scanner): boolean {
  const { text } = s;
  let start = s.at + 2;
  if (text.charCodeAt(start) === minus) start++;
  if (!isIdentifierStart(text.codePointAt(start) ?? 0)) return false;
  const end = start + identifierLength(text, start);
  const newline = text.charCodeAt(end) === carriageReturn ? end + 1 : end;
  if (text.charCodeAt(newline) !== lineFeed) return false;
  emit(s, Kind.OpenHeredoc, newline + 1 - s.at);
  push(s, { kind: "heredoc", marker: text.slice(start, end), lineStart: true });
  return true;
}

/** Adds what begins with the `$` or `%` here: a sequence's opening, an escaped one, or the character itself. */
function scanMarkerCharacter(s: Scanner, code: number, textKind: Kind): void {
  const { text, at } = s;
  const next = text.charCodeAt(at + 1);
  if (next === openBrace) {
    const length = text.charCodeAt(at + 2) === tilde ? 3 : 2;
    emit(s, code === dollar ? Kind.OpenInterpolation : Kind.OpenDirective, length);
    return push(s, { kind: "code", sequence: true, braces: 0 });
  }
  if (next === code && text.charCodeAt(at + 2) === openBrace) return emit(s, textKind, 3);
  emit(s, textKind, textKind === Kind.PlainText && takesNext(text, at + 1) ? 2 : 1);
}

/**
 * HCL's scanner takes the last byte of a line together with a lone `$` or `%` before it. It matters to a `~` that
 * follows, because that strips one token.
 */
const takesNext = (text: string, at: number): boolean => /^[\0-\x7f]\r?\n/.test(text.slice(at, at + 3));

function scanQuoted(s: Scanner): void {
  const { text } = s;
  const first = text.charCodeAt(s.at);
  if (first === dollar || first === percent) return scanMarkerCharacter(s, first, Kind.QuotedText);
  if (first === quote) {
    emit(s, Kind.CloseQuote, 1);
    return pop(s);
  }
  let end = s.at;
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (code === quote || code === dollar || code === percent) break;
    if (code === lineFeed || code === carriageReturn) break;
    if (code === backslash) {
      const escaped = text.charCodeAt(end + 1);
      if (!(escaped === lineFeed || escaped === carriageReturn)) end++;
    }
  }
  end = Math.min(end, text.length);
  if (end > s.at) return emit(s, Kind.QuotedText, end - s.at);
  scanBrokenLine(s);
}

/**
 * A line end inside quotes, always an error: either the text really goes on and is closed on a later line, or the
 * closing quote is missing, and then the quote ends here so that the following lines are read as what they are.
 */
function scanBrokenLine(s: Scanner): void {
  let end = s.at;
  for (let code = s.text.charCodeAt(end); code === lineFeed || code === carriageReturn; ) {
    code = s.text.charCodeAt(++end);
  }
  if (continuesQuote(s.text, end)) return emit(s, Kind.BrokenLine, end - s.at);
  emit(s, Kind.BrokenLine, 0);
  pop(s);
}

function scanHeredoc(s: Scanner, level: Level & { kind: "heredoc" }): void {
  const { text } = s;
  const first = text.charCodeAt(s.at);
  if (first === dollar || first === percent) {
    level.lineStart = false;
    return scanMarkerCharacter(s, first, Kind.PlainText);
  }
  const end = plainTextEnd(text, s.at);
  const code = text.charCodeAt(end);
  const lineEnd =
    code === lineFeed ? 1 : code === carriageReturn && text.charCodeAt(end + 1) === lineFeed ? 2 : 0;
  if (lineEnd === 0) {
    level.lineStart = false;
    if (end > s.at) emit(s, Kind.PlainText, end - s.at);
    if (code === carriageReturn) emit(s, Kind.Invalid, 1);
    return;
  }
  if (level.lineStart && isMarker(text, s.at, end, level.marker)) {
    emit(s, Kind.CloseHeredoc, end - s.at);
    emit(s, Kind.Newline, lineEnd);
    return pop(s);
  }
  level.lineStart = true;
  emit(s, Kind.PlainText, end + lineEnd - s.at);
}

/** Where text without line ends and marker characters ends. */
function plainTextEnd(text: string, start: number): number {
  let end = start;
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (code === lineFeed || code === carriageReturn || code === dollar || code === percent) break;
  }
  return end;
}

function isMarker(text: string, start: number, end: number, marker: string): boolean {
  let from = start;
  while (from < end && isWhiteSpace(text.charCodeAt(from))) from++;
  if (!text.startsWith(marker, from)) return false;
  for (let at = from + marker.length; at < end; at++) {
    if (!isWhiteSpace(text.charCodeAt(at))) return false;
  }
  return from + marker.length <= end;
}

/**
 * Text of a template file. After a carriage return without line feed HCL takes the whole rest of the file as text,
 * sequences and all: what a template yields must not depend on the engine.
 */
function scanTemplate(s: Scanner): void {
  const { text } = s;
  const first = text.charCodeAt(s.at);
  if (first === dollar || first === percent) return scanMarkerCharacter(s, first, Kind.PlainText);
  let end = plainTextEnd(text, s.at);
  if (text.charCodeAt(end) === carriageReturn) {
    if (text.charCodeAt(end + 1) === lineFeed) end++;
    else if (end === s.at) end = text.length;
  }
  if (text.charCodeAt(end) === lineFeed) end++;
  emit(s, Kind.PlainText, end - s.at);
}
