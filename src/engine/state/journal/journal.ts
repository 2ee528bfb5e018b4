/**
 * @module The journal beside a state file: what was completed since the file was last written, one line each.
 *
 * A line is a JSON object with one member:
 *
 * | line                                       | means                                                        |
 * |--------------------------------------------|--------------------------------------------------------------|
 * | `{"journal":{version,lineage,serial,base}}` | first line: which state file it continues                    |
 * | `{"put":{type,name,instance}}`              | the instance is now so (the form it has in the state file)   |
 * | `{"remove":{resource,key}}`                 | the instance is gone; `key` is absent, a number or text      |
 * | `{"remove":{resource,key,deposed}}`         | that old object of the instance is gone                      |
 * | `{"outputs":{…}}`                           | all outputs, as in the state file                            |
 * | `{"begin":{type,name,instance}}`            | making the instance begins; it is to be so, as far as known  |
 * | `… {module,type,name,instance}`             | likewise in a module: `module.a["x"]`                        |
 * | `{"update":{resource,key}}`                 | changing what the instance stands for on its host begins     |
 * | `{"settle":{resource,key}}`                 | either has ended, and nothing was made or changed            |
 * | `{"folded":"…"}`                            | everything above is in the state file with this hash         |
 *
 * What was begun ends with a `put`, a `remove` or a `settle` of the same instance. Where none follows, the process was
 * killed in between: the object may be on its host and is in no state, or it may have changed there and the state does
 * not say so.
 *
 * Hashes are SHA-256 of the file's bytes in hexadecimal, or `none` when there is no file. A last line without its line
 * end is what a killed process left, and does not count.
 */

import type { InstanceKey, ResourceName } from "../../../values/address.ts";
import { JsonScanner } from "../../../values/json/json-scanner.ts";
import { JsonSyntaxError } from "../../../values/json/json-syntax-error.ts";
import { Begun } from "../begun.ts";
import { StateError } from "../expectations.ts";
import { readInstance, readOutputs } from "../read-state.ts";
import type { State, StateInstance, StateOutput } from "../state.ts";
import { instanceLine, oneLine, outputsText } from "../write-state.ts";
import type { JournalEntry } from "./journal-entry.ts";

const journalVersion = 1;

/** Which state file a journal continues. */
export interface JournalBase {
  readonly lineage: string;
  readonly serial: number;
  readonly hash: string;
}

export const headerLine = ({ lineage, serial, hash }: JournalBase): string =>
  line({ journal: { version: journalVersion, lineage, serial, base: hash } });

export const putLine = (resource: ResourceName, instance: StateInstance): string =>
  entryLine("put", resource, instance);

export const beginLine = (resource: ResourceName, instance: StateInstance): string =>
  entryLine("begin", resource, instance);

function entryLine(member: string, { module, type, name }: ResourceName, instance: StateInstance): string {
  const place = module === "" ? "" : `"module":${JSON.stringify(module)},`;
  return `{"${member}":{${place}"type":${JSON.stringify(type)},"name":${JSON.stringify(name)},"instance":${instanceLine(instance)}}}\n`;
}

export const removeLine = (resource: string, key: InstanceKey, deposed?: string): string =>
  line({ remove: { resource, key, deposed } });

export const settleLine = (resource: string, key: InstanceKey): string => line({ settle: { resource, key } });

export const updateLine = (resource: string, key: InstanceKey): string => line({ update: { resource, key } });

export const outputsLine = (outputs: ReadonlyMap<string, StateOutput>): string =>
  `{"outputs":${oneLine(outputsText(outputs))}}\n`;

export const foldedLine = (hash: string): string => line({ folded: hash });

const line = (content: object): string => `${JSON.stringify(content)}\n`;

export type ReadJournal =
  | {
      readonly kind: "fits";
      readonly base: JournalBase;
      /** The changes of the state, in order. */
      readonly entries: readonly JournalEntry[];
      /** Instances whose work was begun and never ended. */
      readonly begun: Begun;
    }
  /** It continues another state than the one with the hash that was asked about. */
  | { readonly kind: "misfit"; readonly base: JournalBase }
  | {
      readonly kind: "damaged";
      readonly why: string;
      /** How many lines before the damaged one can be read, the first one counted. */
      readonly whole: number;
    };

/**
 * @param text content of the journal
 * @param hash of the state file beside it
 */
export function readJournal(text: string, hash: string): ReadJournal {
  const lines = text.split("\n").slice(0, -1);
  const [first, ...rest] = lines;
  const begun = new Begun();
  // Killed before the first line was complete: nothing had been done yet.
  if (first === undefined)
    return { kind: "fits", base: { lineage: "", serial: 0, hash }, entries: [], begun };
  const base = readHeader(first);
  if (base === undefined)
    return { kind: "damaged", why: "its first line is not that of a journal", whole: 0 };
  const start = startFor(hash, base, rest);
  const entries: JournalEntry[] = [];
  for (const [i, text] of rest.entries()) {
    const entry = tryEntry(text);
    if (entry === undefined)
      return { kind: "damaged", why: `its line ${i + 2} cannot be read`, whole: i + 1 };
    if (entry === "folded") continue;
    begun.note(entry);
    if (i >= (start ?? 0) && changesState(entry)) entries.push(entry);
  }
  // What was only begun says nothing about the state, so that it holds whoever has written the state meanwhile.
  if (start === undefined && entries.length > 0) return { kind: "misfit", base };
  return { kind: "fits", base, entries, begun };
}

const changesState = ({ kind }: JournalEntry): boolean =>
  kind === "put" || kind === "remove" || kind === "outputs";

/** Does what the entries say. */
export function applyEntries(state: State, entries: readonly JournalEntry[]): void {
  for (const entry of entries) {
    if (entry.kind === "put") state.put(entry.type, entry.name, entry.instance, entry.module);
    else if (entry.kind === "remove") state.remove(entry.resource, entry.key, entry.deposed);
    else if (entry.kind === "outputs") state.setOutputs(entry.outputs);
  }
}

/** Position after the last line that the state file with this hash already has in it. */
function startFor(hash: string, base: JournalBase, lines: readonly string[]): number | undefined {
  const folded = foldedLine(hash).trimEnd();
  const last = lines.lastIndexOf(folded);
  if (last !== -1) return last + 1;
  return base.hash === hash ? 0 : undefined;
}

function readHeader(text: string): JournalBase | undefined {
  const header = (parse(text) as { journal?: Record<string, unknown> } | undefined)?.journal;
  if (header === undefined || header.version !== journalVersion) return undefined;
  const { lineage, serial, base } = header;
  if (typeof lineage !== "string" || typeof serial !== "number" || typeof base !== "string") return undefined;
  return { lineage, serial, hash: base };
}

function tryEntry(text: string): JournalEntry | "folded" | undefined {
  try {
    return readEntry(text);
  } catch (error) {
    if (error instanceof StateError || error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

function readEntry(text: string): JournalEntry | "folded" | undefined {
  const checked = parse(text);
  if (typeof checked !== "object" || checked === null) return undefined;
  if ("folded" in checked) return "folded";
  for (const kind of ["remove", "settle", "update"] as const) {
    if (!(kind in checked)) continue;
    const { resource, key, deposed } = (checked as Record<string, Removed>)[kind]!;
    return { kind, resource, key, ...(deposed === undefined ? {} : { deposed }) };
  }
  return readLongEntry(new JsonScanner(text));
}

interface Removed {
  readonly resource: string;
  readonly key?: string | number;
  readonly deposed?: string;
}

/** Reads from the text itself, for numbers that JavaScript cannot hold. */
function readLongEntry(scanner: JsonScanner): JournalEntry | undefined {
  let entry: JournalEntry | undefined;
  scanner.object((name) => {
    if (name === "outputs") entry = { kind: "outputs", outputs: readOutputs(scanner) };
    else if (name === "put" || name === "begin") entry = readInstanceEntry(name, scanner);
    else scanner.skip();
  });
  return entry;
}

function readInstanceEntry(kind: "put" | "begin", scanner: JsonScanner): JournalEntry | undefined {
  let module = "";
  let type = "";
  let name = "";
  let instance: StateInstance | undefined;
  scanner.object((member) => {
    if (member === "module") module = scanner.string();
    else if (member === "type") type = scanner.string();
    else if (member === "name") name = scanner.string();
    else if (member === "instance") instance = readInstance(scanner, `${type}.${name}`);
    else scanner.skip();
  });
  return instance === undefined ? undefined : { kind, module, type, name, instance };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
