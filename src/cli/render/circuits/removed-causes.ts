/**
 * @module Which removed steps make a handler run: an instance's triggers no longer have their revisions, and nothing of the
 * configuration names those steps any more.
 */
import type { PlannedChange } from "../../../engine/index.ts";
import { at } from "../../../values/path.ts";
import { isNull, type Value } from "../../../values/value.ts";
import { getPath, isElements, isEntries } from "../../../values/walk.ts";

/** @returns addresses of the removed instances whose revisions were among the triggers of an instance */
export function removedCauses(
  changes: readonly PlannedChange[],
): (change: PlannedChange) => readonly string[] {
  const removed = new Map(
    changes.flatMap(({ before, after, address }): [unknown, string][] => {
      const revision = textAt(before, "revision");
      return revision !== undefined && isGone(after) ? [[revision, address]] : [];
    }),
  );
  return ({ before }) => {
    if (removed.size === 0) return [];
    const triggers = isNull(before) ? null : (getPath(before, at("triggers"))?.data ?? null);
    const values = isElements(triggers) ? triggers : isEntries(triggers) ? [...triggers.values()] : [];
    return values.flatMap(({ data }) => removed.get(data) ?? []);
  };
}

const isGone = (after: Value): boolean => isNull(after) || getPath(after, at("skipped"))?.data === true;

function textAt(object: Value, name: string): string | undefined {
  const data = isNull(object) ? undefined : getPath(object, at(name))?.data;
  return typeof data === "string" ? data : undefined;
}
