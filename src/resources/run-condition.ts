/**
 * @module When something has to run again whose result cannot be compared (C13).
 */
import { isDeepStrictEqual } from "node:util";
import type { ResourceDiff } from "../revision/resource-diff.ts";
import { isConfigurable, type ResourceSchema } from "../schema/schema.ts";
import type { PlainObject } from "../values/plain.ts";

export interface RunCondition {
  /** Whether it is new, or a setting that decides about it differs from what is stored. */
  readonly hasToRun: (want: PlainObject, prior: PlainObject | undefined) => boolean;
  /** Plan logic: the results of a run are not known before it; where it does not run, what is stored stands. */
  readonly plan: (diff: ResourceDiff) => void;
}

/**
 * @param schema every setting with an effect on the host decides, triggers among them
 * @param results computed attributes that a run gives
 */
export function runsWhenChanged(schema: ResourceSchema, results: readonly string[]): RunCondition {
  const decisive = Object.entries(schema.attributes)
    .filter(([, attribute]) => isConfigurable(attribute) && attribute.hostEffect !== false)
    .map(([name]) => name);
  return {
    hasToRun: (want, prior) => {
      if (prior === undefined) return true;
      return decisive.some((name) => {
        const { standard = null, equivalent } = schema.attributes[name]!;
        const [before, after] = [prior[name] ?? standard, want[name] ?? standard];
        return (
          !isDeepStrictEqual(before, after) &&
          (before === null || after === null || equivalent?.(before, after) !== true)
        );
      });
    },
    plan(diff) {
      if (!decisive.some((name) => diff.meansOther(name))) return;
      for (const name of results) diff.setNewComputed(name);
    },
  };
}
