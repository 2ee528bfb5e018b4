/**
 * @module Instances that a `when` leaves out: they are in the state, and nothing is read or changed on their host.
 */
import type { BlockSchema } from "../schema/schema.ts";
import { valuesEqual } from "../values/equal.ts";
import { at } from "../values/path.ts";
import { boolType } from "../values/type.ts";
import { boolValue, isNull, isUnknown, nullValue, unknownValue, type Value } from "../values/value.ts";
import type { Fields } from "./proposal.ts";

/** Whether a configured object is left out: `when = false`; undefined when that is not known yet. */
export function skips(config: Fields): boolean | undefined {
  const when = config.get("when");
  if (when === undefined || isNull(when)) return false;
  return isUnknown(when) ? undefined : when.data === false;
}

/** Whether a stored object was left out by the last apply. */
export const wasSkipped = (stored: Fields | undefined): boolean => stored?.get("skipped")?.data === true;

/** Whether a stored object is on its host, or has been. */
const wasApplied = (stored: Fields | undefined): boolean =>
  stored !== undefined && (!wasSkipped(stored) || stored.get("applied")?.data === true);

/**
 * The planned object of an instance that is left out: as configured, with nothing found out. One that was left out
 * before keeps its revision; one that was not is removed from the host, which is a change.
 */
export function skippedFields(
  schema: BlockSchema,
  config: Fields,
  prior: Fields | undefined,
): Map<string, Value> {
  const planned = new Map<string, Value>();
  for (const [name, attribute] of Object.entries(schema.attributes)) {
    const configured = config.get(name)!;
    const isLeftOut = attribute.writeOnly !== undefined || (attribute.computed && isNull(configured));
    planned.set(name, isLeftOut ? nullValue(attribute.type) : configured);
  }
  for (const name of Object.keys(schema.blocks)) planned.set(name, config.get(name)!);
  const revision = schema.attributes.revision!;
  planned.set("skipped", boolValue(true));
  planned.set("applied", boolValue(wasApplied(prior)));
  planned.set("revision", wasSkipped(prior) ? prior!.get("revision")! : unknownValue(revision.type));
  planned.set("id", prior?.get("id") ?? unknownValue(schema.attributes.id!.type));
  return planned;
}

/** Settings that differ between two skipped objects: only the state is to learn of them. */
export const differingPaths = (before: Fields, after: Fields) =>
  [...after].filter(([name, value]) => !valuesEqual(value, before.get(name)!)).map(([name]) => at(name));

/**
 * Says in the planned object of an instance that is not left out whether it is: where that is not known yet, neither
 * is anything that would be found out.
 */
export function planSkip(schema: BlockSchema, config: Fields, planned: Map<string, Value>): void {
  if (schema.attributes.skipped === undefined) return;
  // Without a `when` there is nothing to report, and nothing to show in every plan.
  const asked = !isNull(config.get("when")!);
  const skip = skips(config);
  if (skip !== undefined) {
    planned.set("skipped", asked ? boolValue(skip) : nullValue(boolType));
    planned.set("applied", asked ? boolValue(!skip) : nullValue(boolType));
    return;
  }
  for (const [name, attribute] of Object.entries(schema.attributes)) {
    if (attribute.computed && name !== "id" && isNull(config.get(name)!))
      planned.set(name, unknownValue(attribute.type));
  }
}
