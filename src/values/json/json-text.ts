/**
 * @module JSON text ↔ tree, with numbers that stay exact.
 *
 * `JSON.parse` makes doubles of numbers, and a state file may hold 2^53 + 1. Source: RFC 8259.
 */
import { BigFloat } from "../big-float.ts";
import { compareText } from "../set-order.ts";
import { JsonScanner } from "./json-scanner.ts";

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
 * @throws JsonSyntaxError saying what was expected, and at which offset
 */
export const parseJson = (text: string): Json => parseJsonParts(text, true);

/** The wanted parts of a tree: all of it, or these members of its objects; for an array, of each element. */
export type WantedJson = true | WantedMembers;

export interface WantedMembers {
  /** Of a member that may not be wanted, the answer to what its object has before it. */
  readonly [name: string]: WantedJson | ((object: JsonObject) => WantedJson | undefined);
}

/**
 * Like {@link parseJson}, for a large text of which little is needed: other members of objects are skipped and
 * take no memory. Their syntax is only checked as far as needed to find their end.
 *
 * @throws JsonSyntaxError as {@link parseJson}
 */
export function parseJsonParts(text: string, wanted: WantedJson): Json {
  const scanner = new JsonScanner(text);
  const json = read({ scanner, share: sharing(text) }, wanted);
  scanner.finish();
  return json;
}

function wantedMember(wanted: WantedMembers, key: string, object: JsonObject): WantedJson | undefined {
  const member = Object.hasOwn(wanted, key) ? wanted[key] : undefined;
  return typeof member === "function" ? member(object) : member;
}

interface Reading {
  readonly scanner: JsonScanner;
  /** The string to keep for one that was read. */
  readonly share: (part: string) => string;
}

function read(reading: Reading, wanted: WantedJson): Json {
  const { scanner, share } = reading;
  switch (scanner.kind()) {
    case "object": {
      const object = newJsonObject();
      scanner.object((text) => {
        const key = share(text);
        const inner = wanted === true ? true : wantedMember(wanted, key, object);
        if (inner === undefined) scanner.skip();
        else object[key] = read(reading, inner);
      });
      return object;
    }
    case "array": {
      const array: Json[] = [];
      scanner.array(() => void array.push(read(reading, wanted)));
      return array;
    }
    case "string":
      return share(scanner.string());
    case "number":
      return BigFloat.parse(scanner.number())!;
    default:
      return scanner.word();
  }
}

/** Characters of a text from which on its strings are shared: what is about one instance has few that are alike. */
const large = 100_000;
/** Characters up to which a string is worth being looked up: addresses and digests are, contents of files are not. */
const longestShared = 200;

/**
 * V8 lets a part of a text keep the whole of it: short ones are copied, each once, so that the tree does without it. What
 * is about many instances says the same many times.
 */
function sharing(text: string): (part: string) => string {
  if (text.length < large) return (part) => part;
  const shared = new Map<string, string>();
  return (part) => {
    if (part.length > longestShared) return part;
    const known = shared.get(part);
    if (known !== undefined) return known;
    const own = Buffer.from(part).toString();
    shared.set(own, own);
    return own;
  };
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
