/**
 * @module Tokens of configuration, and of what stands inside template sequences.
 *
 * Source: HCL Native Syntax Specification, "Lexical Elements".
 */
import { identifierPattern } from "../../values/identifier.ts";
import { isDigit, isIdentifierPart, isIdentifierStart } from "./characters.ts";
import { type CodeLevel, code, emit, pop, push, type Scanner } from "./scanner.ts";
import { Kind } from "./tokens.ts";

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

/** Adds the token that follows the blanks here. */
export function scanCode(s: Scanner, level: CodeLevel): void {
  const { text } = s;
  let char = text.charCodeAt(s.at);
  while (char === code.space || char === code.tab) char = text.charCodeAt(++s.at);
  if (s.at >= text.length) return;
  if (isIdentifierStart(char < 128 ? char : text.codePointAt(s.at)!)) {
    emit(s, Kind.Identifier, identifierLength(text, s.at));
  } else if (isDigit(char)) {
    emit(s, Kind.Number, numberLength(text, s.at));
  } else if (!scanSpecial(s, level, char, text.charCodeAt(s.at + 1))) {
    scanOperator(s, char, text.charCodeAt(s.at + 1));
  }
}

/** Line ends, comments, braces, and what begins a template; false for everything else. */
function scanSpecial(s: Scanner, level: CodeLevel, char: number, next: number): boolean {
  switch (char) {
    case code.lineFeed:
      emit(s, Kind.Newline, 1);
      return true;
    case code.carriageReturn:
      if (next !== code.lineFeed) return false;
      emit(s, Kind.Newline, 2);
      return true;
    case code.quote:
      emit(s, Kind.OpenQuote, 1);
      push(s, { kind: "quoted" });
      return true;
    case code.openBrace:
      level.braces++;
      emit(s, Kind.OpenBrace, 1);
      return true;
    case code.closeBrace:
      scanCloseBrace(s, level);
      return true;
    case code.tilde:
      if (next !== code.closeBrace) return false;
      closeSequence(s, level, 2);
      return true;
    case code.hash:
      scanLineComment(s);
      return true;
    case code.slash:
      if (next === code.slash) scanLineComment(s);
      else if (next === code.star) scanBlockComment(s);
      return next === code.slash || next === code.star;
    case code.less:
      return next === code.less && openHeredoc(s);
    default:
      return false;
  }
}

function scanOperator(s: Scanner, char: number, next: number): void {
  const [second, kind] = double[char] ?? [];
  if (char === code.equal && (next === code.equal || next === code.greater)) {
    emit(s, next === code.equal ? Kind.Equal : Kind.FatArrow, 2);
  } else if (char === code.dot && next === code.dot && s.text.charCodeAt(s.at + 2) === code.dot) {
    emit(s, Kind.Ellipsis, 3);
  } else if (kind !== undefined && second === next) {
    emit(s, kind, 2);
  } else if (single[char]) {
    emit(s, single[char] as Kind, 1);
  } else {
    emit(s, Kind.Invalid, s.text.codePointAt(s.at)! > 0xffff ? 2 : 1);
  }
}

function scanCloseBrace(s: Scanner, level: CodeLevel): void {
  if (level.sequence && level.braces === 0) {
    closeSequence(s, level, 1);
  } else {
    if (level.braces > 0) level.braces--;
    emit(s, Kind.CloseBrace, 1);
  }
}

function closeSequence(s: Scanner, level: CodeLevel, length: number): void {
  emit(s, Kind.CloseSequence, length);
  if (level.sequence && level.braces === 0) pop(s);
  else if (level.braces > 0) level.braces--;
}

function identifierLength(text: string, start: number): number {
  let at = start;
  for (;;) {
    const char = text.charCodeAt(at);
    if (char < 128) {
      if (!isIdentifierPart(char)) break;
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
    const char = text.charCodeAt(at);
    if (isDigit(char)) end = ++at;
    else if (char === code.dot) at++;
    else if (char === 101 || char === 69) {
      const sign = text.charCodeAt(at + 1);
      const digit = sign === code.plus || sign === code.minus ? at + 2 : at + 1;
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

/**
 * Marker and line end must follow each other directly. Blanks, a comment or quotes are let through here, because no
 * other reading makes sense, and reported by the parser.
 */
const heredocIntroducer = new RegExp(
  String.raw`<<-?(["']?)(${identifierPattern})\1[ \t]*(?:(?:#|//)[^\n]*)?\r?\n`,
  "uy",
);

/** Whether a heredoc begins here. */
function openHeredoc(s: Scanner): boolean {
  heredocIntroducer.lastIndex = s.at;
  const match = heredocIntroducer.exec(s.text);
  if (match === null) return false;
  emit(s, Kind.OpenHeredoc, match[0].length);
  push(s, { kind: "heredoc", marker: match[2]!, lineStart: true });
  return true;
}
