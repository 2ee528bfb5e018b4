/**
 * @module Whether two values are the same apart from marks.
 */

import { BigFloat } from "./big-float.ts";
import { type Data, Unknown, type Value } from "./data.ts";
import { typeEquals } from "./type.ts";

/**
 * Structural equality: types, nulls and unknowns count, marks and refinements do not. An unknown equals an unknown of
 * the same type, which is what comparing a plan with another one wants (the language's `==` gives unknown there).
 */
export function valuesEqual(a: Value, b: Value): boolean {
  return a === b || (typeEquals(a.type, b.type) && dataEqual(a.data, b.data));
}

function dataEqual(a: Data, b: Data): boolean {
  if (a === b) return true;
  if (a === null || b === null) return false;
  if (a instanceof Unknown) return b instanceof Unknown;
  if (a instanceof BigFloat) return b instanceof BigFloat && a.equals(b);
  if (isList(a)) {
    return isList(b) && a.length === b.length && a.every((element, i) => valuesEqual(element, b[i]!));
  }
  if (a instanceof Map) {
    if (!(b instanceof Map) || a.size !== b.size) return false;
    for (const [key, value] of a) {
      const other: Value | undefined = b.get(key);
      if (other === undefined || !valuesEqual(value, other)) return false;
    }
    return true;
  }
  return false;
}

/** `Array.isArray` that distinguishes readonly arrays from the rest of {@link Data}. */
function isList(data: Data): data is readonly Value[] {
  return Array.isArray(data);
}
