/**
 * @module Goes once through a JSON text, value by value, and hands out what is asked for: texts, numbers as they are
 * written, whole values as they stand, and the offsets of each. Source: RFC 8259.
 */
import { wellFormed } from "../well-formed.ts";
import { deepest, type JsonExpected, JsonSyntaxError } from "./json-syntax-error.ts";

export type JsonKind = "object" | "array" | "string" | "number" | "bool" | "null";

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
/** Characters below this code must be escaped. */
const firstPrintable = 0x20;

const numberToken = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const wordToken = /(?:true|false|null)(?![\w$])/y;
const escapeToken = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/**
 * Every method reads the value that comes next, and throws JsonSyntaxError where the text is not what it should be. What
 * is only passed over ({@link raw}, {@link skip}) is checked for its brackets and quotes.
 */
export class JsonScanner {
  readonly text: string;
  #at = 0;
  #end = 0;
  #depth = 0;

  constructor(text: string) {
    this.text = text;
    this.#skipSpace();
  }

  /** Offset of the next value. */
  get position(): number {
    return this.#at;
  }

  /** Offset after what was read last, without the white space that follows it. */
  get end(): number {
    return this.#end;
  }

  /** The kind of the next value; of what can begin none, `number`. */
  kind(): JsonKind {
    switch (this.text.charCodeAt(this.#at)) {
      case openBrace:
        return "object";
      case openBracket:
        return "array";
      case quote:
        return "string";
      case 0x74:
      case 0x66:
        return "bool";
      case 0x6e:
        return "null";
      default:
        return "number";
    }
  }

  /**
   * @param member called for each member of an object, with the offsets of its key's text; it must read the value
   */
  object(member: (key: string, start: number, end: number) => void): void {
    this.#items(openBrace, closeBrace, () => {
      const start = this.#at;
      if (this.text.charCodeAt(start) !== quote) this.#fail("key");
      const key = this.string();
      const end = this.#end;
      this.#expect(colon, "colon");
      member(key, start, end);
    });
  }

  /** @param element called for each element of an array; it must read the element */
  array(element: () => void): void {
    this.#items(openBracket, closeBracket, element);
  }

  string(): string {
    const start = this.#at;
    if (this.text.charCodeAt(start) !== quote) this.#fail("string");
    // Most strings are short and have nothing to be understood in them.
    for (let at = start + 1; ; at++) {
      const code = this.text.charCodeAt(at);
      if (code === quote) {
        this.#pass(at + 1);
        return this.text.slice(start + 1, at);
      }
      if (code === backslash) return this.#escapedString(start, at);
      // The end of the text is no number, and no character either.
      if (!(code >= firstPrintable)) throw new JsonSyntaxError("closingQuote", at, start);
    }
  }

  /** A number as it is written. */
  number(): string {
    return this.#token(numberToken);
  }

  /** `true`, `false` or `null`. */
  word(): boolean | null {
    const word = this.#token(wordToken);
    return word === "null" ? null : word === "true";
  }

  /** The next value as plain data, numbers as doubles. */
  plain(): unknown {
    const start = this.#at;
    const text = this.raw();
    try {
      return JSON.parse(text);
    } catch {
      throw new JsonSyntaxError("value", start);
    }
  }

  /** The text of the next value as it stands. */
  raw(): string {
    const start = this.#at;
    this.skip();
    return this.text.slice(start, this.#end);
  }

  /** Passes over the next value. */
  skip(): void {
    const first = this.text.charCodeAt(this.#at);
    this.#pass(
      first === quote
        ? this.#stringEnd(this.#at)
        : first === openBrace || first === openBracket
          ? this.#bracketsEnd()
          : this.#wordEnd(),
    );
  }

  /** The text of what was read since a position, perhaps with white space after it. */
  since(position: number): string {
    return this.text.slice(position, this.#at);
  }

  /** Checks that nothing follows. */
  finish(): void {
    if (this.#at < this.text.length) this.#fail("end");
  }

  #items(open: number, close: number, item: () => void): void {
    if (++this.#depth > deepest) this.#fail("lessNesting");
    this.#expect(open, open === openBrace ? "object" : "array");
    const itemOrEnd = open === openBrace ? "itemOrEndOfObject" : "itemOrEndOfArray";
    if (this.text.charCodeAt(this.#at) !== close) {
      item();
      while (this.text.charCodeAt(this.#at) === comma) {
        this.#expect(comma, itemOrEnd);
        item();
      }
    }
    this.#expect(close, itemOrEnd);
    this.#depth--;
  }

  #escapedString(start: number, first: number): string {
    let text = this.text.slice(start + 1, first);
    let from = first;
    for (let at = first; ; ) {
      const code = this.text.charCodeAt(at);
      if (code === backslash) {
        escapeToken.lastIndex = at;
        const written = escapeToken.exec(this.text)?.[0];
        if (written === undefined) throw new JsonSyntaxError("escape", at);
        text += this.text.slice(from, at) + (JSON.parse(`"${written}"`) as string);
        at += written.length;
        from = at;
      } else if (code === quote) {
        this.#pass(at + 1);
        return wellFormed(text + this.text.slice(from, at));
      } else if (code >= firstPrintable) {
        at++;
      } else {
        throw new JsonSyntaxError("closingQuote", at, start);
      }
    }
  }

  /** Offset after the closing quote: the first one with an even number of backslashes before it. */
  #stringEnd(start: number): number {
    for (let end = this.text.indexOf('"', start + 1); end !== -1; ) {
      let before = end;
      while (this.text.charCodeAt(before - 1) === backslash) before--;
      if ((end - before) % 2 === 0) return end + 1;
      end = this.text.indexOf('"', end + 1);
    }
    throw new JsonSyntaxError("closingQuote", this.text.length, start);
  }

  #bracketsEnd(): number {
    const { text } = this;
    let at = this.#at;
    let depth = 0;
    do {
      const code = text.charCodeAt(at);
      if (code === quote) {
        at = this.#stringEnd(at);
        continue;
      }
      if (code === openBrace || code === openBracket) depth++;
      else if (code === closeBrace || code === closeBracket) depth--;
      else if (Number.isNaN(code)) throw new JsonSyntaxError("value", at);
      at++;
    } while (depth > 0);
    return at;
  }

  #wordEnd(): number {
    let at = this.#at;
    while (at < this.text.length && !endsWord(this.text.charCodeAt(at))) at++;
    if (at === this.#at) this.#fail("value");
    return at;
  }

  #token(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const token = pattern.exec(this.text)?.[0];
    if (token === undefined) this.#fail("value");
    this.#pass(this.#at + token.length);
    return token;
  }

  #expect(code: number, expected: JsonExpected): void {
    if (this.text.charCodeAt(this.#at) !== code) this.#fail(expected);
    this.#pass(this.#at + 1);
  }

  #pass(end: number): void {
    this.#at = end;
    this.#end = end;
    this.#skipSpace();
  }

  #skipSpace(): void {
    while (isSpace(this.text.charCodeAt(this.#at))) this.#at++;
  }

  #fail(expected: JsonExpected): never {
    throw new JsonSyntaxError(expected, this.#at);
  }
}

const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

const endsWord = (code: number): boolean =>
  code === comma || code === colon || code === closeBrace || code === closeBracket || isSpace(code);
