/**
 * @module Where two values differ (X3).
 */
import { valuesEqual } from "../values/equal.ts";
import type { Path } from "../values/path.ts";
import { typeEquals } from "../values/type.ts";
import type { Value } from "../values/value.ts";
import { isElements, isEntries } from "../values/walk.ts";
import type { PropertyChange } from "./decision.ts";

/**
 * Every innermost path where the values differ: lists and tuples by position, maps and objects by key, anything else
 * as a whole. An added or removed element is one change with the whole element.
 *
 * @param before undefined for an absent value
 * @returns changes in the order of `before`, then additions
 */
export function differences(
  before: Value | undefined,
  after: Value | undefined,
  path: Path = [],
): readonly PropertyChange[] {
  if (before === undefined || after === undefined) {
    return before === after ? [] : [{ path, before, after }];
  }
  if (valuesEqual(before, after)) return [];
  return innerDifferences(before, after, path) ?? [{ path, before, after }];
}

/** Undefined when the values can only be compared as a whole. */
function innerDifferences(before: Value, after: Value, path: Path): readonly PropertyChange[] | undefined {
  if (before.type.kind !== after.type.kind || before.type.kind === "set") return undefined;
  if (isEntries(before.data) && isEntries(after.data)) {
    const byAttribute = before.type.kind === "object";
    const old = before.data;
    const now = after.data;
    const names = [...old.keys(), ...[...now.keys()].filter((name) => !old.has(name))];
    return names.flatMap((name) =>
      differences(old.get(name), now.get(name), [...path, byAttribute ? { attribute: name } : { key: name }]),
    );
  }
  if (isElements(before.data) && isElements(after.data)) {
    if (before.type.kind === "list" && !typeEquals(before.type, after.type)) return undefined;
    const old = before.data;
    const now = after.data;
    const length = Math.max(old.length, now.length);
    return Array.from({ length }, (_, index) =>
      differences(old[index], now[index], [...path, { index }]),
    ).flat();
  }
  return undefined;
}
