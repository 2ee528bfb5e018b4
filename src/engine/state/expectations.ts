/**
 * @module Checks of the form of a state file.
 */
import type { InstanceKey } from "../../values/address.ts";
import { type JsonKind, JsonScanner } from "../../values/json/json-scanner.ts";
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

export function expect(scanner: JsonScanner, kind: JsonKind, what: string): void {
  if (scanner.kind() !== kind)
    throw corrupt(`In it ${what} is not ${kind === "object" ? "an" : "a"} ${kind}.`);
}

export function expectString(scanner: JsonScanner, what: string): string {
  expect(scanner, "string", what);
  return scanner.string();
}

export function expectCount(scanner: JsonScanner, what: string): number {
  const count = scanner.plain();
  if (typeof count !== "number" || !Number.isSafeInteger(count) || count < 0) {
    throw corrupt(`Its ${what} is not a whole number.`);
  }
  return count;
}

export function expectKey(scanner: JsonScanner, address: string): InstanceKey {
  const key = scanner.plain();
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

export function expectBytes(scanner: JsonScanner, known: KnownParts): Uint8Array {
  const text = expectString(scanner, "private");
  const found = known.bytes.get(text);
  if (found !== undefined) return found;
  const bytes = fromBase64(text);
  known.bytes.set(detached(text), bytes);
  return bytes;
}

/** JSON text in one line, the same string for equal ones. */
export function sharedText(scanner: JsonScanner, known: KnownParts): string {
  const text = scanner.raw();
  const found = known.texts.get(text);
  if (found !== undefined) return found;
  const compact = compactText(text);
  known.texts.set(detached(text), compact);
  return compact;
}

export function expectStrings(scanner: JsonScanner, address: string, known: KnownParts): readonly string[] {
  const text = scanner.raw();
  const found = known.lists.get(text);
  if (found !== undefined) return found;
  const list = new JsonScanner(text).plain();
  if (!Array.isArray(list) || !list.every((item): item is string => typeof item === "string")) {
    throw corrupt(`An instance of ${address} has dependencies that are not a list of addresses.`);
  }
  known.lists.set(detached(text), list);
  return list;
}

export const fromBase64 = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "base64"));
