/**
 * @module Checks of the form of a state file.
 */
import type { InstanceKey } from "../../values/address.ts";
import { JsonReader } from "./json-reader.ts";
import { oneLine } from "./write-state.ts";

/** Thrown for a file that is not a usable state. */
export class StateError extends Error {
  override readonly name = "StateError";
  constructor(
    summary: string,
    readonly detail: string,
  ) {
    super(summary);
  }
}

export const corrupt = (why: string): StateError =>
  new StateError(
    "State file is damaged",
    `${why} Restore it from the .backup file beside it or from your own copy.`,
  );

export function expect(reader: JsonReader, kind: ReturnType<JsonReader["kind"]>, what: string): void {
  if (reader.kind() !== kind)
    throw corrupt(`In it ${what} is not ${kind === "object" ? "an" : "a"} ${kind}.`);
}

export function expectString(reader: JsonReader, what: string): string {
  expect(reader, "string", what);
  return reader.string();
}

export function expectCount(reader: JsonReader, what: string): number {
  const count = reader.plain();
  if (typeof count !== "number" || !Number.isSafeInteger(count) || count < 0) {
    throw corrupt(`Its ${what} is not a whole number.`);
  }
  return count;
}

export function expectKey(reader: JsonReader, address: string): InstanceKey {
  const key = reader.plain();
  if (typeof key === "string" || (typeof key === "number" && Number.isSafeInteger(key))) return key;
  throw corrupt(`An instance of ${address} has a key that is neither text nor a whole number.`);
}

/**
 * What was read before, by its text: all instances of a resource have the same dependencies and mostly the same private
 * data and sensitive paths, and thousands of copies would be much of what a large state takes in memory.
 */
export interface KnownParts {
  readonly lists: Map<string, readonly string[]>;
  readonly bytes: Map<string, Uint8Array>;
  readonly texts: Map<string, string>;
}

export const noKnownParts = (): KnownParts => ({ lists: new Map(), bytes: new Map(), texts: new Map() });

/**
 * A text that does not hold the file's. What V8 cuts out of a text is a view that keeps all of it in memory.
 */
export const detached = (text: string): string => Buffer.from(text).toString();

/** JSON text without the file's layout, detached from it. */
export const compactText = (json: string): string => (json.includes("\n") ? oneLine(json) : detached(json));

export function expectBytes(reader: JsonReader, known: KnownParts): Uint8Array {
  const text = expectString(reader, "private");
  const found = known.bytes.get(text);
  if (found !== undefined) return found;
  const bytes = fromBase64(text);
  known.bytes.set(detached(text), bytes);
  return bytes;
}

/** JSON text in one line, the same string for equal ones. */
export function sharedText(reader: JsonReader, known: KnownParts): string {
  const text = reader.raw();
  const found = known.texts.get(text);
  if (found !== undefined) return found;
  const compact = compactText(text);
  known.texts.set(detached(text), compact);
  return compact;
}

export function expectStrings(reader: JsonReader, address: string, known: KnownParts): readonly string[] {
  const text = reader.raw();
  const found = known.lists.get(text);
  if (found !== undefined) return found;
  const list = new JsonReader(text).plain();
  if (!Array.isArray(list) || !list.every((item): item is string => typeof item === "string")) {
    throw corrupt(`An instance of ${address} has dependencies that are not a list of addresses.`);
  }
  known.lists.set(detached(text), list);
  return list;
}

export const fromBase64 = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "base64"));
