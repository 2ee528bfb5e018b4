/**
 * @module Settings that are written to a host and never stored: neither a plan nor a state has their values.
 */
import { nullValue, objectValue, type Value } from "../values/value.ts";
import { isEntries } from "../values/walk.ts";
import type { BlockSchema } from "./schema.ts";

export interface WriteOnlySetting {
  readonly name: string;
  /** The computed boolean that tells whether what was written is still there; null where nothing was. */
  readonly intact: string;
}

const found = new WeakMap<BlockSchema, readonly WriteOnlySetting[]>();

/** Those of an object's own attributes; blocks have none. */
export function writeOnlySettings(schema: BlockSchema): readonly WriteOnlySetting[] {
  const known = found.get(schema);
  if (known !== undefined) return known;
  const settings = Object.entries(schema.attributes).flatMap(([name, { writeOnly }]) =>
    writeOnly === undefined ? [] : [{ name, intact: writeOnly }],
  );
  found.set(schema, settings);
  return settings;
}

/** The object as it may be stored, shown or compared: what is write-only is null. */
export function withoutWriteOnly(schema: BlockSchema, object: Value): Value {
  const settings = writeOnlySettings(schema);
  if (settings.length === 0 || !isEntries(object.data)) return object;
  const fields = new Map(object.data);
  for (const { name } of settings) fields.set(name, nullValue(schema.attributes[name]!.type));
  return objectValue(fields);
}
