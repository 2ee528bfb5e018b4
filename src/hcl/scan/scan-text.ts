/**
 * @module Tokens of templates: quoted text, heredocs and template files.
 *
 * Where HCL's own scanner splits text into tokens matters, because a `~` strips one token: this one splits alike.
 * Source: HCL Native Syntax Specification, "Templates".
 */
import { isWhiteSpace } from "./characters.ts";
import { continuesQuote } from "./scan-broken-quote.ts";
import { code, emit, type HeredocLevel, pop, push, type Scanner } from "./scanner.ts";
import { Kind } from "./tokens.ts";

/** Adds what begins with the `$` or `%` here: a sequence's opening, an escaped one, or the character itself. */
function scanMarkerCharacter(s: Scanner, char: number, textKind: Kind): void {
  const { text, at } = s;
  const next = text.charCodeAt(at + 1);
  if (next === code.openBrace) {
    const length = text.charCodeAt(at + 2) === code.tilde ? 3 : 2;
    emit(s, char === code.dollar ? Kind.OpenInterpolation : Kind.OpenDirective, length);
    push(s, { kind: "code", sequence: true, braces: 0 });
    return;
  }
  if (next === char && text.charCodeAt(at + 2) === code.openBrace) {
    emit(s, textKind, 3);
    return;
  }
  emit(s, textKind, textKind === Kind.PlainText && takesNext(text, at + 1) ? 2 : 1);
}

/**
 * HCL's scanner takes the last byte of a line together with a lone `$` or `%` before it. It matters to a `~` that
 * follows, because that strips one token.
 */
const takesNext = (text: string, at: number): boolean => /^[\0-\x7f]\r?\n/.test(text.slice(at, at + 3));

export function scanQuoted(s: Scanner): void {
  const { text } = s;
  const first = text.charCodeAt(s.at);
  if (first === code.dollar || first === code.percent) {
    scanMarkerCharacter(s, first, Kind.QuotedText);
    return;
  }
  if (first === code.quote) {
    emit(s, Kind.CloseQuote, 1);
    pop(s);
    return;
  }
  const end = quotedTextEnd(text, s.at);
  if (end > s.at) emit(s, Kind.QuotedText, end - s.at);
  else scanBrokenLine(s);
}

/** Where text with its escapes, but without quotes, line ends and marker characters, ends. */
function quotedTextEnd(text: string, start: number): number {
  let end = start;
  for (; end < text.length; end++) {
    const char = text.charCodeAt(end);
    if (char === code.quote || char === code.dollar || char === code.percent) break;
    if (char === code.lineFeed || char === code.carriageReturn) break;
    if (char === code.backslash) {
      const escaped = text.charCodeAt(end + 1);
      if (!(escaped === code.lineFeed || escaped === code.carriageReturn)) end++;
    }
  }
  return Math.min(end, text.length);
}

/**
 * A line end inside quotes, always an error: either the text really goes on and is closed on a later line, or the
 * closing quote is missing, and then the quotes end here so that the following lines are read as what they are.
 */
function scanBrokenLine(s: Scanner): void {
  let end = s.at;
  for (let char = s.text.charCodeAt(end); char === code.lineFeed || char === code.carriageReturn; ) {
    char = s.text.charCodeAt(++end);
  }
  if (continuesQuote(s.text, end)) {
    emit(s, Kind.BrokenLine, end - s.at);
    return;
  }
  emit(s, Kind.BrokenLine, 0);
  pop(s);
}

export function scanHeredoc(s: Scanner, level: HeredocLevel): void {
  const { text } = s;
  const first = text.charCodeAt(s.at);
  if (first === code.dollar || first === code.percent) {
    level.lineStart = false;
    scanMarkerCharacter(s, first, Kind.PlainText);
    return;
  }
  const end = plainTextEnd(text, s.at);
  const char = text.charCodeAt(end);
  const lineEnd =
    char === code.lineFeed
      ? 1
      : char === code.carriageReturn && text.charCodeAt(end + 1) === code.lineFeed
        ? 2
        : 0;
  if (lineEnd === 0) {
    level.lineStart = false;
    if (end > s.at) emit(s, Kind.PlainText, end - s.at);
    if (char === code.carriageReturn) emit(s, Kind.Invalid, 1);
    return;
  }
  if (level.lineStart && isMarker(text, s.at, end, level.marker)) {
    emit(s, Kind.CloseHeredoc, end - s.at);
    emit(s, Kind.Newline, lineEnd);
    pop(s);
    return;
  }
  level.lineStart = true;
  emit(s, Kind.PlainText, end + lineEnd - s.at);
}

/** Where text without line ends and marker characters ends. */
function plainTextEnd(text: string, start: number): number {
  let end = start;
  for (; end < text.length; end++) {
    const char = text.charCodeAt(end);
    if (char === code.lineFeed || char === code.carriageReturn) break;
    if (char === code.dollar || char === code.percent) break;
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
export function scanTemplate(s: Scanner): void {
  const { text } = s;
  const first = text.charCodeAt(s.at);
  if (first === code.dollar || first === code.percent) {
    scanMarkerCharacter(s, first, Kind.PlainText);
    return;
  }
  let end = plainTextEnd(text, s.at);
  if (text.charCodeAt(end) === code.carriageReturn) {
    if (text.charCodeAt(end + 1) === code.lineFeed) end++;
    else if (end === s.at) end = text.length;
  }
  if (text.charCodeAt(end) === code.lineFeed) end++;
  emit(s, Kind.PlainText, end - s.at);
}
