/**
 * @module Going through a collection in the order that the language gives it.
 */
import { sortedEntries } from "../values/set-order.ts";
import { numberValue, stringValue, type Value } from "../values/value.ts";
import { isElements, isEntries } from "../values/walk.ts";

export interface Item {
  /** Position in a list or tuple, name in a map or object; in a set the element itself. */
  readonly key: Value;
  readonly value: Value;
}

/** The items of a known collection. Undefined for anything else. */
export function itemsOf({ type, data }: Value): readonly Item[] | undefined {
  if (isElements(data)) {
    if (type.kind === "set") return data.map((value) => ({ key: value, value }));
    return data.map((value, index) => ({ key: numberValue(index), value }));
  }
  if (!isEntries(data)) return undefined;
  return sortedEntries(data).map(([name, value]) => ({ key: stringValue(name), value }));
}
