/**
 * @module `triggers`: values whose change makes something run again (C7, C9, C13).
 */
import type { ResourceDiff } from "../revision/resource-diff.ts";
import { dynamic, stringMap } from "../schema/schema.ts";
import { isPlainObject, type Plain, type PlainObject } from "../values/plain.ts";
import { Unknown } from "../values/value.ts";

/** Of a handler's action: what the compiler makes of `notify`. */
export const actionTriggers = dynamic({
  optional: true,
  describe:
    "A list with an entry for each step that notifies: its revision on the same host, or a map of its instances' revisions. The action runs again when it changes.",
});

/** Of a step that runs something. */
export const stepTriggers = stringMap({
  optional: true,
  anyCharacter: true,
  describe:
    "Any values, by names of your choice, such as `{ config = step.config.revision }`. It runs again whenever one of them changes, also when drift is reverted.",
});

/** An action's plan: only triggers run it again, and running is being created (C9). */
export function runAgainOnTriggers(diff: ResourceDiff): void {
  if (diff.creating || !diff.hasChange("triggers")) return;
  if (!sameTriggers(diff.prior("triggers"), diff.get("triggers"))) diff.forceReplace("triggers");
}

/**
 * Whether two lists of triggers mean the same runs. Keys of a map are `HOST/KEY`: the host's part is left out, so that
 * renaming a host runs nothing.
 */
export function sameTriggers(before: Plain, after: Plain): boolean {
  if (before instanceof Unknown || after instanceof Unknown) return false;
  if (Array.isArray(before) && Array.isArray(after)) {
    return before.length === after.length && before.every((entry, i) => sameTriggers(entry, after[i]!));
  }
  if (isPlainObject(before) && isPlainObject(after)) {
    const old = withoutHosts(before);
    const now = withoutHosts(after);
    return (
      old.size === now.size &&
      [...old].every(([key, value]) => now.has(key) && sameTriggers(value, now.get(key)!))
    );
  }
  return before === after;
}

const withoutHosts = (map: PlainObject): ReadonlyMap<string, Plain> =>
  new Map(Object.entries(map).map(([key, value]) => [key.slice(key.indexOf("/") + 1), value]));
