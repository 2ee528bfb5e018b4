/**
 * @module The texts in a value that could be recognised in other output.
 */
import { BigFloat } from "./big-float.ts";
import type { Value } from "./value.ts";
import { isElements, isEntries } from "./walk.ts";

/** Strings and numbers at any depth, without keys. */
export function textsOf({ data }: Value): readonly string[] {
  if (typeof data === "string") return [data];
  if (data instanceof BigFloat) return [data.toString()];
  if (isElements(data)) return data.flatMap(textsOf);
  return isEntries(data) ? [...data.values()].flatMap(textsOf) : [];
}
