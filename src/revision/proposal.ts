/**
 * @module The planned object before any custom logic: the configuration, with what it leaves out taken from the prior
 * object where the provider fills it.
 */
import { isDeepStrictEqual } from "node:util";
import type { AttributeSchema, BlockSchema } from "../schema/schema.ts";
import { toPlain } from "../values/plain.ts";
import { isNull, isUnknown, nullValue, unknownValue, type Value } from "../values/value.ts";
import { isWhollyKnown } from "../values/walk.ts";

/** An object's attributes and blocks by name; every name of the schema is there. */
export type Fields = ReadonlyMap<string, Value>;

/** @returns undefined for a null object */
export const fieldsOf = (object: Value): Fields | undefined =>
  object.data instanceof Map ? (object.data as Fields) : undefined;

/**
 * @param prior undefined when the object is to be created
 * @param elsewhere whether it is to be on another host than the one where the prior object was seen: nothing that the
 *   provider fills in is known to be so there
 * @returns for each name what the rules of the plugin protocol allow and a user expects:
 *   - what the configuration sets, in the prior object's spelling where that means the same (`"644"`, `"0644"`)
 *   - null for what is write-only
 *   - what it leaves out: the prior value (unknown when there is none) where the provider fills it, else null
 */
export function proposedFields(
  schema: BlockSchema,
  config: Fields,
  prior: Fields | undefined,
  elsewhere = false,
): Map<string, Value> {
  const proposed = new Map<string, Value>();
  for (const [name, attribute] of Object.entries(schema.attributes)) {
    proposed.set(name, proposedAttribute(attribute, config.get(name)!, prior?.get(name), elsewhere));
  }
  for (const name of Object.keys(schema.blocks)) proposed.set(name, config.get(name)!);
  return proposed;
}

function proposedAttribute(
  schema: AttributeSchema,
  config: Value,
  prior: Value | undefined,
  elsewhere: boolean,
): Value {
  if (schema.writeOnly !== undefined) return nullValue(schema.type);
  if (!isNull(config)) {
    return prior !== undefined && sameMeaning(schema, config, prior) ? prior : config;
  }
  if (!schema.computed) return nullValue(schema.type);
  return elsewhere ? unknownValue(schema.type) : (prior ?? unknownValue(schema.type));
}

/**
 * Whether two values of a setting mean the same on the host, so that putting one for the other is no change there.
 *
 * @param exact what has the first value on the host, by its exact name there; undefined where there is no such, or it has changed
 */
export function sameOnHost(
  schema: AttributeSchema,
  before: Value,
  after: Value,
  exact: string | undefined,
): boolean {
  const { standard, equivalent, fits } = schema;
  if (!isWhollyKnown(before) || !isWhollyKnown(after)) return false;
  const [old, now] = [toPlain(before) ?? standard ?? null, toPlain(after) ?? standard ?? null];
  if (isDeepStrictEqual(old, now)) return true;
  if (old === null || now === null) return false;
  return equivalent?.(old, now) === true || (exact !== undefined && fits?.(now, exact) === true);
}

/** Whether both spell the same thing, by the attribute's own rule. */
export function sameMeaning(schema: AttributeSchema, a: Value, b: Value): boolean {
  if (schema.equivalent === undefined || isNull(a) || isNull(b)) return false;
  if (isUnknown(a) || isUnknown(b) || !isWhollyKnown(a) || !isWhollyKnown(b)) return false;
  return schema.equivalent(toPlain(a), toPlain(b));
}
