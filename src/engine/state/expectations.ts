/**
 * @module What a state file must be like, and how it is refused when it is not.
 */
import type { InstanceKey } from "../plan.ts";
import { JsonReader } from "./json-reader.ts";

/** The file is no state that can be worked with. */
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
 * Lists that were read before, by their text: all instances of a resource have the same dependencies, and thousands of
 * lists would be most of what a large state takes in memory.
 */
export type KnownLists = Map<string, readonly string[]>;

export function expectStrings(reader: JsonReader, address: string, known: KnownLists): readonly string[] {
  const text = reader.raw();
  const found = known.get(text);
  if (found !== undefined) return found;
  const list = new JsonReader(text).plain();
  if (!Array.isArray(list) || !list.every((item): item is string => typeof item === "string")) {
    throw corrupt(`An instance of ${address} has dependencies that are not a list of addresses.`);
  }
  known.set(text, list);
  return list;
}

export const fromBase64 = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "base64"));
