/**
 * @module `triggers`: values whose change makes something run again (C7, C9, C13).
 */
import type { ResourceDiff } from "../revision/resource-diff.ts";
import { dynamic, stringMap } from "../schema/schema.ts";
import { storedHostKey } from "../values/host-key.ts";
import { isPlainObject, type Plain, type PlainObject } from "../values/plain.ts";
import { Unknown } from "../values/value.ts";

/** The triggers of a handler's action: what the compiler makes of `notify`. */
export const actionTriggers = dynamic({
  optional: true,
  describe:
    "A list with an entry for each step that notifies: its revision on the same host, or a map of its instances' revisions. The action runs again when it changes.",
});

/** The triggers of a step that runs something. */
export const stepTriggers = stringMap({
  optional: true,
  anyCharacter: true,
  describe:
    "Any values, by names of your choice, such as `{ config = step.config.revision }`. It runs again whenever one of them changes, also when drift is reverted.",
});

/**
 * An action's plan: only triggers run it again, and running is being created (C9). Where nothing is left that could
 * trigger it, no new instance would know that it is to run: the old one runs for the last time.
 */
export function runAgainOnTriggers(diff: ResourceDiff): void {
  if (diff.creating || !diff.hasChange("triggers")) return;
  const [before, after] = [diff.prior("triggers"), diff.get("triggers")];
  if (sameTriggers(before, after)) return;
  if (diff.config("when") !== false) diff.forceReplace("triggers");
  else if (runsLast({ triggers: before, skipped: diff.prior("skipped") }, { triggers: after, when: false })) {
    diff.setNewComputed("revision");
  }
}

/** Whether an update of an action runs it: what triggered it is gone, and nothing else triggers it. */
export const runsLast = (before: PlainObject, after: PlainObject): boolean =>
  after.when === false &&
  before.skipped !== true &&
  lacksAny(before.triggers ?? null, after.triggers ?? null);

/** Whether an entry of triggers, or of a map in them, is not there any more. */
function lacksAny(before: Plain, after: Plain): boolean {
  if (before === null || after instanceof Unknown) return false;
  if (Array.isArray(before)) {
    if (!Array.isArray(after) || after.length < before.length) return true;
    return before.some((entry, i) => lacksAny(entry, after[i]!));
  }
  if (!isPlainObject(before)) return after === null;
  if (!isPlainObject(after)) return true;
  const now = withoutHosts(after);
  return [...withoutHosts(before)].some(([key, value]) => lacksAny(value, now.get(key) ?? null));
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
  new Map(Object.entries(map).map(([key, value]) => [ownKeyIn(key), value]));

/** A map in a stored object has nothing but its keys. */
function ownKeyIn(key: string): string {
  const { host, own } = storedHostKey(key);
  return own ?? host;
}
