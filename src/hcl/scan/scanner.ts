/**
 * @module What the parts of the scanner share: the position in the text, and the nesting of templates and code there.
 */
import { type Kind, TokenBuffer } from "./tokens.ts";

/** `configuration` also for a lone expression; `template` for a template file, which is text until a sequence begins. */
export type ScanMode = "configuration" | "template";

/** Configuration, or the inside of a template sequence. */
export interface CodeLevel {
  readonly kind: "code";
  readonly sequence: boolean;
  /** Braces that are open. */
  braces: number;
}

export interface HeredocLevel {
  readonly kind: "heredoc";
  readonly marker: string;
  /** Whether a line of text begins here, which may be the end marker. */
  lineStart: boolean;
}

/** One level of what templates and code nest in each other. */
export type Level = CodeLevel | HeredocLevel | { readonly kind: "quoted" } | { readonly kind: "template" };

export interface Scanner {
  readonly text: string;
  readonly buffer: TokenBuffer;
  readonly levels: Level[];
  /** The innermost one. */
  level: Level;
  at: number;
}

export function createScanner(text: string, mode: ScanMode): Scanner {
  const level: Level =
    mode === "template" ? { kind: "template" } : { kind: "code", sequence: false, braces: 0 };
  return { text, buffer: new TokenBuffer(text.length), levels: [level], level, at: 0 };
}

export function push(s: Scanner, level: Level): void {
  s.levels.push(level);
  s.level = level;
}

export function pop(s: Scanner): void {
  s.levels.pop();
  s.level = s.levels[s.levels.length - 1]!;
}

/** Adds the token that begins here and goes on after it. */
export function emit(s: Scanner, kind: Kind, length: number): void {
  s.buffer.add(kind, s.at, s.at + length);
  s.at += length;
}

/** Codes of the characters that the scanner asks for by name. */
export const code = {
  tab: 9,
  lineFeed: 10,
  carriageReturn: 13,
  space: 32,
  quote: 34,
  hash: 35,
  dollar: 36,
  percent: 37,
  star: 42,
  plus: 43,
  minus: 45,
  dot: 46,
  slash: 47,
  less: 60,
  equal: 61,
  greater: 62,
  backslash: 92,
  openBrace: 123,
  closeBrace: 125,
  tilde: 126,
  byteOrderMark: 0xfeff,
} as const;
