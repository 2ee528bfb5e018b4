/**
 * @module Reads JSON text member by member, and hands out parts of it as they are written: a state's numbers may have
 * more digits than a JavaScript number holds, and most of a state need not be taken apart.
 */

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

/** The text is not JSON. */
export class JsonReaderError extends Error {
  override readonly name = "JsonReaderError";
}

/**
 * Goes once through a text. Every method reads the value that comes next. What is only skipped ({@link raw}) is checked
 * for its brackets and quotes.
 */
export class JsonReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
    this.#skipSpace();
  }

  /** The kind of the next value. */
  kind(): "object" | "array" | "string" | "number" | "bool" | "null" {
    switch (this.#text.charCodeAt(this.#at)) {
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
   * Calls `member` for each member of an object; it must read the member's value.
   *
   * @throws JsonReaderError here and in all that follow, when the text is not what it should be
   */
  object(member: (name: string) => void): void {
    this.#items(openBrace, closeBrace, () => {
      const name = this.string();
      this.#expect(colon, '":"');
      member(name);
    });
  }

  /** Calls `element` for each element of an array; it must read the element. */
  array(element: () => void): void {
    this.#items(openBracket, closeBracket, element);
  }

  string(): string {
    if (this.#text.charCodeAt(this.#at) !== quote) this.#fail("a string");
    const text = this.raw();
    return text.includes("\\") ? (this.#parse(text) as string) : text.slice(1, -1);
  }

  /** The next value as plain data, numbers as doubles. */
  plain(): unknown {
    return this.#parse(this.raw());
  }

  /** The text of the next value as it stands. */
  raw(): string {
    const start = this.#at;
    this.#skipValue();
    const text = this.#text.slice(start, this.#at);
    this.#skipSpace();
    return text;
  }

  /** Offset of the next value. */
  get position(): number {
    return this.#at;
  }

  /** The text of what was read since a position, perhaps with white space after it. */
  since(position: number): string {
    return this.#text.slice(position, this.#at);
  }

  /** Checks that nothing follows. */
  end(): void {
    if (this.#at < this.#text.length) this.#fail("the end");
  }

  #items(open: number, close: number, item: () => void): void {
    this.#expect(open, open === openBrace ? "an object" : "an array");
    if (this.#text.charCodeAt(this.#at) === close) {
      this.#expect(close, "the end of it");
      return;
    }
    for (;;) {
      item();
      if (this.#text.charCodeAt(this.#at) !== comma) break;
      this.#expect(comma, '","');
    }
    this.#expect(close, 'a "," or the end of it');
  }

  #expect(code: number, what: string): void {
    if (this.#text.charCodeAt(this.#at) !== code) this.#fail(what);
    this.#at++;
    this.#skipSpace();
  }

  #skipValue(): void {
    const first = this.#text.charCodeAt(this.#at);
    if (first === quote) this.#skipString();
    else if (first === openBrace || first === openBracket) this.#skipContainer();
    else this.#skipWord();
  }

  #skipContainer(): void {
    const text = this.#text;
    let depth = 0;
    do {
      const code = text.charCodeAt(this.#at);
      if (code === quote) {
        this.#skipString();
        continue;
      }
      if (code === openBrace || code === openBracket) depth++;
      else if (code === closeBrace || code === closeBracket) depth--;
      else if (Number.isNaN(code)) this.#fail("the end of an object or array");
      this.#at++;
    } while (depth > 0);
  }

  #skipString(): void {
    let end = this.#at;
    do {
      end = this.#text.indexOf('"', end + 1);
      if (end === -1) this.#fail("the end of a string");
    } while (this.#isEscaped(end));
    this.#at = end + 1;
  }

  #isEscaped(at: number): boolean {
    let before = at - 1;
    while (this.#text.charCodeAt(before) === backslash) before--;
    return (at - before) % 2 === 0;
  }

  #skipWord(): void {
    const start = this.#at;
    while (this.#at < this.#text.length && !endsWord(this.#text.charCodeAt(this.#at))) this.#at++;
    if (this.#at === start) this.#fail("a value");
  }

  #skipSpace(): void {
    while (isSpace(this.#text.charCodeAt(this.#at))) this.#at++;
  }

  #parse(text: string): unknown {
    try {
      return JSON.parse(text);
    } catch {
      return this.#fail("a value");
    }
  }

  #fail(expected: string): never {
    throw new JsonReaderError(`${expected} is missing at character ${this.#at + 1}`);
  }
}

const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

const endsWord = (code: number): boolean =>
  code === comma || code === colon || code === closeBrace || code === closeBracket || isSpace(code);
