/**
 * @module A text that is the same for the values that a JSON plan does not distinguish.
 */
import { createHash } from "node:crypto";
import { BigFloat } from "./big-float.ts";
import { Unknown, type Value } from "./value.ts";
import { isElements, isEntries } from "./walk.ts";

/**
 * Equal for equal values, whatever kinds of lists and maps they are made of: a JSON plan has only arrays and objects.
 * A digest, so that what is kept by it stays small.
 */
export function valueKey(value: Value): string {
  return createHash("sha256").update(text(value)).digest("base64");
}

function text({ data }: Value): string {
  if (data === null || typeof data === "boolean") return String(data);
  if (typeof data === "string") return JSON.stringify(data);
  if (data instanceof Unknown) return "?";
  if (data instanceof BigFloat) return data.toString();
  if (isElements(data)) return `[${data.map(text).join()}]`;
  if (!isEntries(data)) return "";
  const entries = [...data].sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([name, inner]) => `${JSON.stringify(name)}:${text(inner)}`).join()}}`;
}
