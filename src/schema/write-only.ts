/**
 * @module Write-only settings: their values are written to the host, and never stored in a plan or state.
 */
import { nullValue, objectValue, type Value } from "../values/value.ts";
import { isEntries } from "../values/walk.ts";
import type { BlockSchema } from "./schema.ts";

export interface WriteOnlySetting {
  readonly name: string;
  /** Name of the computed boolean that says whether what was written is still there; its value is null if nothing was. */
  readonly intact: string;
}

const found = new WeakMap<BlockSchema, readonly WriteOnlySetting[]>();

/** The write-only settings among an object's attributes; blocks have none. */
export function writeOnlySettings(schema: BlockSchema): readonly WriteOnlySetting[] {
  const known = found.get(schema);
  if (known !== undefined) return known;
  const settings = Object.entries(schema.attributes).flatMap(([name, { writeOnly }]) =>
    writeOnly === undefined ? [] : [{ name, intact: writeOnly }],
  );
  found.set(schema, settings);
  return settings;
}

/** The object with write-only values null, as it may be stored, shown and compared. */
export function withoutWriteOnly(schema: BlockSchema, object: Value): Value {
  const settings = writeOnlySettings(schema);
  if (settings.length === 0 || !isEntries(object.data)) return object;
  const fields = new Map(object.data);
  for (const { name } of settings) fields.set(name, nullValue(schema.attributes[name]!.type));
  return objectValue(fields);
}
