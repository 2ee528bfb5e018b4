/**
 * @module JSON text ↔ tree, with numbers that stay exact.
 *
 * `JSON.parse` makes doubles of numbers, and a state file may hold 2^53 + 1. Source: RFC 8259.
 */
import { BigFloat } from "./big-float.ts";
import { compareText } from "./set-order.ts";
import { wellFormed } from "./well-formed.ts";

export type Json = null | boolean | string | BigFloat | readonly Json[] | JsonObject;

/** Made by {@link newJsonObject} when it was parsed. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/**
 * An object in which every key is an ordinary one, `__proto__` too. Not `Object.create(null)`, which V8 keeps as a hash
 * table: trees of these take three quarters of the memory and of the time.
 */
export const newJsonObject = (): Record<string, Json> => Reflect.construct(EmptyObject, []);

function EmptyObject(): void {}
EmptyObject.prototype = Object.create(null);

export function isJsonObject(json: Json | undefined): json is JsonObject {
  return typeof json === "object" && json !== null && !Array.isArray(json) && !(json instanceof BigFloat);
}

export function isJsonArray(json: Json | undefined): json is readonly Json[] {
  return Array.isArray(json);
}

/**
 * The tree of a JSON text. Of equal keys the last one counts.
 *
 * @throws SyntaxError saying what was expected, and at which offset
 */
export function parseJson(text: string): Json {
  const reader = new Reader(text);
  const json = reader.value();
  reader.end();
  return json;
}

/** The wanted parts of a tree: all of it, or these members of its objects; for an array, of each element. */
export type WantedJson = true | WantedMembers;

export interface WantedMembers {
  /** Of a member that may not be wanted, the answer to what its object has before it. */
  readonly [name: string]: WantedJson | ((object: JsonObject) => WantedJson | undefined);
}

/**
 * Like {@link parseJson}, for a large text of which little is needed: other members of objects are skipped and
 * take no memory. Their syntax is only checked as far as needed to find their end.
 */
export function parseJsonParts(text: string, wanted: WantedJson): Json {
  const reader = new Reader(text);
  const json = reader.value(wanted);
  reader.end();
  return json;
}

function wantedMember(wanted: WantedMembers, key: string, object: JsonObject): WantedJson | undefined {
  const member = Object.hasOwn(wanted, key) ? wanted[key] : undefined;
  return typeof member === "function" ? member(object) : member;
}

/** Deeper nesting than this is refused rather than running out of stack. */
const deepest = 500;
const quote = 0x22;
const backslash = 0x5c;
/** Characters below this code must be escaped. */
const firstPrintable = 0x20;
/** Characters of a text from which on its strings are shared: what is about one instance has few that are alike. */
const large = 100_000;
/** Characters up to which a string is worth being looked up: addresses and digests are, contents of files are not. */
const longestShared = 200;
/** A number, or one of the three words. */
const atomToken = /[^\s,\]}]+/y;
const numberToken = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

class Reader {
  #at = 0;
  #depth = 0;
  readonly #text: string;
  /** The strings of this text, each once: what is about many instances says the same many times. */
  readonly #shared = new Map<string, string>();

  constructor(text: string) {
    this.#text = text;
  }

  value(wanted: WantedJson = true): Json {
    this.#space();
    switch (this.#text[this.#at]) {
      case "{":
        return this.#nested(this.#object, wanted);
      case "[":
        return this.#nested(this.#array, wanted);
      case '"':
        return this.#string();
      case "t":
        return this.#word("true", true);
      case "f":
        return this.#word("false", false);
      case "n":
        return this.#word("null", null);
      default:
        return this.#number();
    }
  }

  end(): void {
    this.#space();
    if (this.#at < this.#text.length) this.#fail("the end of the text");
  }

  #nested(read: (this: Reader, wanted: WantedJson) => Json, wanted: WantedJson): Json {
    if (++this.#depth > deepest) this.#fail(`no more than ${deepest} levels`);
    this.#at++;
    const json = read.call(this, wanted);
    this.#depth--;
    return json;
  }

  #object(wanted: WantedJson): JsonObject {
    const object = newJsonObject();
    if (this.#skip("}")) return object;
    do {
      this.#space();
      if (this.#text[this.#at] !== '"') this.#fail("a key in quotes");
      const key = this.#string();
      if (!this.#skip(":")) this.#fail("a colon");
      const inner = wanted === true ? true : wantedMember(wanted, key, object);
      if (inner === undefined) this.#passOver();
      else object[key] = this.value(inner);
    } while (this.#skip(","));
    if (!this.#skip("}")) this.#fail('a comma or "}"');
    return object;
  }

  #array(wanted: WantedJson): readonly Json[] {
    const array: Json[] = [];
    if (this.#skip("]")) return array;
    do {
      array.push(this.value(wanted));
    } while (this.#skip(","));
    if (!this.#skip("]")) this.#fail('a comma or "]"');
    return array;
  }

  #passOver(): void {
    let open = 0;
    do {
      this.#space();
      const character = this.#text[this.#at];
      if (character === '"') {
        this.#at = this.#stringEnd();
      } else if (character === "{" || character === "[") {
        open++;
        this.#at++;
      } else if (character === "}" || character === "]") {
        open--;
        this.#at++;
      } else if (open > 0 && (character === "," || character === ":")) {
        this.#at++;
      } else {
        atomToken.lastIndex = this.#at;
        const token = atomToken.exec(this.#text)?.[0];
        if (token === undefined) this.#fail("a value");
        this.#at += token.length;
      }
    } while (open > 0);
  }

  #string(): string {
    const plain = this.#plainString();
    if (plain !== undefined) return plain;
    const token = this.#text.slice(this.#at, this.#stringEnd());
    try {
      const text = JSON.parse(token) as string;
      this.#at += token.length;
      return wellFormed(text);
    } catch {
      this.#fail("a string with proper escapes and no control characters");
    }
  }

  /** Most strings are short and have nothing to be understood in them. Undefined for others. */
  #plainString(): string | undefined {
    const start = this.#at + 1;
    for (let at = start; ; at++) {
      const code = this.#text.charCodeAt(at);
      if (code === quote) {
        this.#at = at + 1;
        return this.#share(this.#text.slice(start, at));
      }
      // The end of the text is no number, and no character either.
      if (!(code >= firstPrintable) || code === backslash) return undefined;
    }
  }

  /** V8 lets a part of a text keep the whole of it: short ones are copied, each once, so that the tree does without it. */
  #share(part: string): string {
    if (this.#text.length < large || part.length > longestShared) return part;
    const known = this.#shared.get(part);
    if (known !== undefined) return known;
    const own = Buffer.from(part).toString();
    this.#shared.set(own, own);
    return own;
  }

  /** Offset after the closing quote: the first one with an even number of backslashes before it. */
  #stringEnd(): number {
    for (let end = this.#text.indexOf('"', this.#at + 1); end !== -1; ) {
      let start = end;
      while (this.#text[start - 1] === "\\") start--;
      if ((end - start) % 2 === 0) return end + 1;
      end = this.#text.indexOf('"', end + 1);
    }
    this.#fail("a string with its closing quote");
  }

  #number(): BigFloat {
    numberToken.lastIndex = this.#at;
    const token = numberToken.exec(this.#text)?.[0];
    const number = token === undefined ? undefined : BigFloat.parse(token);
    if (token === undefined || number === undefined) this.#fail("a value");
    this.#at += token.length;
    return number;
  }

  #word(word: string, value: boolean | null): boolean | null {
    if (!this.#text.startsWith(word, this.#at)) this.#fail("a value");
    this.#at += word.length;
    return value;
  }

  #skip(character: string): boolean {
    this.#space();
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  #space(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.#at++;
    }
  }

  #fail(expected: string): never {
    throw new SyntaxError(`expected ${expected} at offset ${this.#at}`);
  }
}

export interface JsonStyle {
  /** Spaces per level; without it everything is on one line. */
  readonly indent?: number;
  /** Writes `<`, `>` and `&` as escapes, which Go's encoder does, and so `jsonencode`. */
  readonly escapeHtml?: boolean;
}

/** The text of a tree. Object keys come in the order of their UTF-8 bytes, as from Go's encoder. */
export function jsonText(json: Json, style: JsonStyle = {}): string {
  return written(json, style, "\n");
}

function written(json: Json, style: JsonStyle, newline: string): string {
  if (json === null || typeof json === "boolean") return String(json);
  if (typeof json === "string") return quoted(json, style);
  if (json instanceof BigFloat) return json.toString();
  const inner = style.indent === undefined ? "" : newline + " ".repeat(style.indent);
  const outer = style.indent === undefined ? "" : newline;
  if (isJsonArray(json)) {
    if (json.length === 0) return "[]";
    return `[${inner}${json.map((item) => written(item, style, inner)).join(`,${inner}`)}${outer}]`;
  }
  const keys = Object.keys(json).sort(compareText);
  if (keys.length === 0) return "{}";
  const colon = style.indent === undefined ? ":" : ": ";
  const members = keys.map((key) => quoted(key, style) + colon + written(json[key]!, style, inner));
  return `{${inner}${members.join(`,${inner}`)}${outer}}`;
}

function quoted(text: string, { escapeHtml }: JsonStyle): string {
  // Escapes are taken whole: a backslash that is escaped itself may stand before a "b".
  const plain = JSON.stringify(text).replace(/[\u2028\u2029]|\\./g, (found) => {
    // Go writes the line separators and these two controls by number.
    if (found === "\\b") return "\\u0008";
    if (found === "\\f") return "\\u000c";
    return found.startsWith("\\") ? found : unicodeEscape(found);
  });
  return escapeHtml ? plain.replace(/[<>&]/g, unicodeEscape) : plain;
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
