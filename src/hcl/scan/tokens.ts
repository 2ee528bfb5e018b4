/**
 * @module The tokens a text falls into, in the compact form that parser and formatter walk over.
 */

/** What a token is. The order is of no importance, except that `EndOfFile` is 0. */
export const Kind = {
  EndOfFile: 0,
  /** `\n` or `\r\n`. */
  Newline: 1,
  /** `#…` or `//…` with the line end that closes it. */
  LineComment: 2,
  /** A comment in slashes and stars, or a line comment that the file's end closes. */
  Comment: 3,
  Identifier: 4,
  Number: 5,
  OpenQuote: 6,
  CloseQuote: 7,
  /** Marker and line end: `<<-EOT\n`. */
  OpenHeredoc: 8,
  /** The end marker with the white space around it, without the line end. */
  CloseHeredoc: 9,
  /** Text between quotes, escapes as written. A lone `$` or `%` is a token of its own, and so is `$${`. */
  QuotedText: 10,
  /** Text of a heredoc or of a template file: at most one line with its line end; no backslash escapes. */
  PlainText: 11,
  /** `${` or `${~` */
  OpenInterpolation: 12,
  /** `%{` or `%{~` */
  OpenDirective: 13,
  /** `}` or `~}` */
  CloseSequence: 14,
  OpenBrace: 15,
  CloseBrace: 16,
  OpenBracket: 17,
  CloseBracket: 18,
  OpenParenthesis: 19,
  CloseParenthesis: 20,
  Dot: 21,
  Comma: 22,
  Ellipsis: 23,
  Colon: 24,
  DoubleColon: 25,
  Question: 26,
  Assign: 27,
  FatArrow: 28,
  Or: 29,
  And: 30,
  Equal: 31,
  NotEqual: 32,
  Less: 33,
  LessOrEqual: 34,
  Greater: 35,
  GreaterOrEqual: 36,
  Plus: 37,
  Minus: 38,
  Star: 39,
  Slash: 40,
  Percent: 41,
  Not: 42,
  /** A character that the language does not allow where it stands. */
  Invalid: 43,
  /** What stands for a missing quote: empty, or line ends inside a quoted template. */
  BrokenLine: 44,
  /** A comment whose end is missing: the rest of the file. */
  UnclosedComment: 45,
} as const;

export type Kind = (typeof Kind)[keyof typeof Kind];

/**
 * All tokens of a text in its order, as columns: token `i` is of `kinds[i]` and covers `starts[i]` to `ends[i]`
 * (UTF-16 code units). Between tokens there are only blanks and tabs. The last one is `EndOfFile`.
 */
export interface Tokens {
  readonly kinds: Uint8Array;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  readonly count: number;
}

/** Collects tokens in columns that grow. */
export class TokenBuffer {
  #kinds: Uint8Array;
  #starts: Uint32Array;
  #ends: Uint32Array;
  #count = 0;

  constructor(textLength: number) {
    const capacity = (textLength >> 2) + 16;
    this.#kinds = new Uint8Array(capacity);
    this.#starts = new Uint32Array(capacity);
    this.#ends = new Uint32Array(capacity);
  }

  add(kind: Kind, start: number, end: number): void {
    const at = this.#count++;
    if (at === this.#kinds.length) this.#grow();
    this.#kinds[at] = kind;
    this.#starts[at] = start;
    this.#ends[at] = end;
  }

  /** The columns, which are shared: nothing is added afterwards. */
  tokens(): Tokens {
    return { kinds: this.#kinds, starts: this.#starts, ends: this.#ends, count: this.#count };
  }

  #grow(): void {
    const capacity = this.#kinds.length * 2;
    const kinds = new Uint8Array(capacity);
    const starts = new Uint32Array(capacity);
    const ends = new Uint32Array(capacity);
    kinds.set(this.#kinds);
    starts.set(this.#starts);
    ends.set(this.#ends);
    this.#kinds = kinds;
    this.#starts = starts;
    this.#ends = ends;
  }
}
