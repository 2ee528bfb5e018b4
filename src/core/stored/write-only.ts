/**
 * @module Write-only settings: how a change of one is noticed although no value is stored, and how a host that
 * differs is noticed.
 *
 * What is kept of a value, in the instance's private data, is a salted slow hash of its fingerprint: the SHA-256 that
 * facts show of what a host has. So a refresh compares without any secret leaving the host.
 */
import { createHash } from "node:crypto";
import type { Kind } from "../../resources/kind.ts";
import type { PropertyChange } from "../../revision/decision.ts";
import { fieldsOf } from "../../revision/proposal.ts";
import type { ResourceDiff } from "../../revision/resource-diff.ts";
import type { ResourceSchema } from "../../schema/schema.ts";
import { writeOnlySettings } from "../../schema/write-only.ts";
import { at } from "../../values/path.ts";
import { type PlainObject, toPlain } from "../../values/plain.ts";
import { isNull, nullValue, Unknown, unknownValue, type Value } from "../../values/value.ts";
import { isWhollyKnown } from "../../values/walk.ts";
import type { AnyStep } from "../read/ours.ts";
import type { PrivateData } from "./private-data.ts";
import type { SlowHashes } from "./slow-hash.ts";

/** Hashes by the name of the setting. */
export type SecretHashes = ReadonlyMap<string, string>;

/** Lower-case hexadecimal SHA-256 of the text in UTF-8. */
const fingerprintOf = (text: string): string => createHash("sha256").update(text).digest("hex");

/** The object with the configured values of write-only settings: for the kind alone, never to be stored or shown. */
export function withWriteOnly(schema: ResourceSchema, object: PlainObject, config: Value): PlainObject {
  const fields = fieldsOf(config);
  const settings = fields === undefined ? [] : writeOnlySettings(schema);
  if (settings.length === 0) return object;
  return {
    ...object,
    ...Object.fromEntries(settings.map(({ name }) => [name, toPlain(fields!.get(name)!)])),
  };
}

/** Whether the configuration sets any. */
export function setsWriteOnly({ schema }: Pick<Kind, "schema">, config: Value): boolean {
  const fields = fieldsOf(config);
  return fields !== undefined && writeOnlySettings(schema).some(({ name }) => !isNull(fields.get(name)!));
}

/**
 * The edits of write-only settings: those whose value is not the one that was applied, or not known yet. Before and after
 * say nothing: null, or unknown.
 */
export async function writeOnlyEdits(
  hashes: SlowHashes,
  { schema }: Pick<Kind, "schema">,
  config: Value,
  { secrets }: PrivateData,
): Promise<readonly PropertyChange[]> {
  const fields = fieldsOf(config);
  if (fields === undefined) return [];
  const edits: PropertyChange[] = [];
  for (const { name } of writeOnlySettings(schema)) {
    const value = fields.get(name)!;
    const stored = secrets.get(name);
    const before = nullValue(value.type);
    if (isNull(value) && stored === undefined) continue;
    if (!isWhollyKnown(value)) edits.push({ path: at(name), before, after: unknownValue(value.type) });
    else if (stored === undefined || !(await hashes.matches(stored, fingerprintOf(String(toPlain(value)))))) {
      edits.push({ path: at(name), before, after: before });
    }
  }
  return edits;
}

/**
 * The write-only settings that only replace another setting with the same content, or give it to one.
 *
 * @param prior as read, and as applied
 * @param planned what is planned of it
 */
export async function sameSecrets(
  hashes: SlowHashes,
  { schema }: Pick<Kind, "schema">,
  config: Value,
  { prior, applied, planned }: { readonly prior: Value; readonly applied: Value; readonly planned: Value },
  { secrets }: PrivateData,
): Promise<ReadonlySet<string>> {
  const same = new Set<string>();
  const hashIn = (object: Value, name: string): unknown => fieldsOf(object)?.get(name)?.data;
  for (const { name, intact } of writeOnlySettings(schema)) {
    const twin = schema.attributes[name]?.twin;
    const value = fieldsOf(config)?.get(name);
    if (twin === undefined || value === undefined || !isWhollyKnown(value)) continue;
    const stored = secrets.get(name);
    if (stored === undefined && !isNull(value)) {
      const hash = fingerprintOf(String(toPlain(value)));
      if (hash === hashIn(applied, twin) && hash === hashIn(prior, twin)) same.add(name);
    } else if (stored !== undefined && isNull(value) && hashIn(prior, intact) === true) {
      const hash = hashIn(planned, twin);
      if (typeof hash === "string" && (await hashes.matches(stored, hash))) same.add(name);
    }
  }
  return same;
}

/**
 * What is planned of the booleans that go with them. Always the same for the same settings, whatever their values: an
 * ephemeral value may be another when the plan is made again for the apply.
 */
export function planIntact(schema: ResourceSchema, diff: ResourceDiff): void {
  for (const { name, intact } of writeOnlySettings(schema)) {
    if (diff.isTheirs(name)) continue;
    const value = diff.config(name);
    if (value instanceof Unknown) diff.setNewComputed(intact);
    else diff.setNew(intact, value === null ? null : true);
  }
}

/** What to keep of the values that were applied; of those that are somebody else's, what was kept of them. */
export async function hashesOfApplied(
  hashes: SlowHashes,
  schema: ResourceSchema,
  want: PlainObject,
  { secrets }: PrivateData,
  theirs: ReadonlySet<string>,
): Promise<SecretHashes> {
  const kept = new Map<string, string>();
  for (const { name } of writeOnlySettings(schema)) {
    const value = want[name];
    const before = secrets.get(name);
    if (theirs.has(name)) {
      if (before !== undefined) kept.set(name, before);
    } else if (typeof value === "string") kept.set(name, await hashes.of(fingerprintOf(value)));
  }
  return kept;
}

/** What to keep of what an import found. */
export async function hashesOfFound(
  hashes: SlowHashes,
  kind: AnyStep,
  observed: PlainObject,
  facts: unknown,
): Promise<SecretHashes> {
  const kept = new Map<string, string>();
  for (const { name, intact } of writeOnlySettings(kind.schema)) {
    const found = kind.fingerprint?.(facts, name);
    if (observed[intact] === true && found !== undefined) kept.set(name, await hashes.of(found));
  }
  return kept;
}

/** The object with what its host says about whether its write-only settings are as they were written. */
export async function withIntact(
  hashes: SlowHashes,
  kind: AnyStep,
  object: PlainObject,
  facts: unknown,
  { secrets }: PrivateData,
): Promise<PlainObject> {
  const reported: Record<string, boolean> = {};
  for (const { name, intact } of writeOnlySettings(kind.schema)) {
    const stored = secrets.get(name);
    if (object[intact] === null || stored === undefined) continue;
    const found = kind.fingerprint?.(facts, name);
    reported[intact] = found !== undefined && (await hashes.matches(stored, found));
  }
  return Object.keys(reported).length === 0 ? object : { ...object, ...reported };
}
