/**
 * @module Sets cannot say which of their elements is marked, so the whole set is; nor how many of the unknown ones are the same.
 */
import { marksDeep, unmarkDeep, withMarks } from "./marks.ts";
import type { Type } from "./type.ts";
import { setValue, type Value } from "./value.ts";
import { isElements, isWhollyKnown } from "./walk.ts";

/** Whether it is not known how many elements a set has: any two that are not wholly known may be the same one. */
export function isOpenSet({ type, data }: Value): boolean {
  return type.kind === "set" && isElements(data) && data.length > 1 && !data.every(isWhollyKnown);
}

/** A proper set of a set type's elements, which may be unordered, repeated and marked so far. */
export function hoistMarks(value: Value): Value {
  if (value.type.kind !== "set" || !isElements(value.data)) return value;
  return withMarks(markedSet(value.type.element, value.data), value.marks ?? []);
}

/** `setValue` that moves every mark of the elements to the set, as OpenTofu does. */
export function markedSet(element: Type, elements: readonly Value[]): Value {
  const marks = new Set(elements.flatMap((value) => [...marksDeep(value)]));
  if (marks.size === 0) return setValue(element, elements);
  return withMarks(
    setValue(
      element,
      elements.map((value) => unmarkDeep(value).value),
    ),
    marks,
  );
}
