/**
 * @module Reads JSON text member by member, and hands out parts of it as they are written: a state's numbers may have
 * more digits than a JavaScript number holds.
 */

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

/**
 * Goes once through a text that is known to be JSON (`JSON.parse` accepted it). Every method reads the value that
 * comes next.
 */
export class JsonReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
    this.#skipSpace();
  }

  /** What the next value is. */
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

  /** Calls `member` for each member of an object; it must read the member's value. */
  object(member: (name: string) => void): void {
    this.#items(closeBrace, () => {
      const name = this.string();
      this.#at++; // the colon
      this.#skipSpace();
      member(name);
    });
  }

  /** Calls `element` for each element of an array; it must read the element. */
  array(element: () => void): void {
    this.#items(closeBracket, element);
  }

  string(): string {
    return JSON.parse(this.raw()) as string;
  }

  /** The next value as plain data, numbers as doubles. */
  plain(): unknown {
    return JSON.parse(this.raw());
  }

  /** The text of the next value as it stands. */
  raw(): string {
    const start = this.#at;
    this.#skipValue();
    const text = this.#text.slice(start, this.#at);
    this.#skipSpace();
    return text;
  }

  #items(close: number, item: () => void): void {
    this.#at++;
    this.#skipSpace();
    while (this.#text.charCodeAt(this.#at) !== close) {
      item();
      if (this.#text.charCodeAt(this.#at) === comma) {
        this.#at++;
        this.#skipSpace();
      }
    }
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
    let depth = 0;
    do {
      const code = this.#text.charCodeAt(this.#at);
      if (code === quote) {
        this.#skipString();
        continue;
      }
      if (code === openBrace || code === openBracket) depth++;
      else if (code === closeBrace || code === closeBracket) depth--;
      this.#at++;
    } while (depth > 0);
  }

  #skipString(): void {
    let end = this.#at;
    do {
      end = this.#text.indexOf('"', end + 1);
    } while (this.#isEscaped(end));
    this.#at = end + 1;
  }

  #isEscaped(at: number): boolean {
    let before = at - 1;
    while (this.#text.charCodeAt(before) === backslash) before--;
    return (at - before) % 2 === 0;
  }

  #skipWord(): void {
    while (this.#at < this.#text.length && !endsWord(this.#text.charCodeAt(this.#at))) this.#at++;
  }

  #skipSpace(): void {
    while (isSpace(this.#text.charCodeAt(this.#at))) this.#at++;
  }
}

const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

const endsWord = (code: number): boolean =>
  code === comma || code === closeBrace || code === closeBracket || isSpace(code);
