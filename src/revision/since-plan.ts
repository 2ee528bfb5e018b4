/**
 * @module Whether a host is still as the plan saw it (P5).
 */
import type { BlockSchema } from "../schema/schema.ts";
import { valuesEqual } from "../values/equal.ts";
import { contradiction } from "./agreement.ts";
import { settingsOfOthers } from "./ownership.ts";
import type { Fields } from "./proposal.ts";

export interface SincePlan {
  /** The object as the plan saw it. */
  readonly prior: Fields;
  /** As it is to be updated; undefined where it is to end, also as the old half of a replacement. */
  readonly planned: Fields | undefined;
  /** The object as it is now; undefined when it is gone. */
  readonly now: Fields | undefined;
}

/**
 * Settings that are neither as the plan saw them nor already as wanted. What somebody else owns may change at any time
 * (D5), and what is to end may be gone.
 *
 * @returns undefined when there are none; empty when the object is gone
 */
export function changedSincePlan(
  schema: BlockSchema,
  { prior, planned, now }: SincePlan,
): readonly string[] | undefined {
  if (now === undefined) return planned === undefined ? undefined : [];
  const theirs = settingsOfOthers(schema, planned ?? prior, prior);
  const moved = [...now].filter(
    ([name, value]) => !theirs.has(name) && !valuesEqual(value, prior.get(name)!),
  );
  const isAsWanted = moved.every(
    ([name, value]) =>
      planned !== undefined &&
      schema.attributes[name]?.observed === true &&
      contradiction(planned.get(name)!, value) === undefined,
  );
  return isAsWanted ? undefined : moved.map(([name]) => name);
}
