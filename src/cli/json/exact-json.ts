/**
 * @module Values as OpenTofu's JSON has them: exact numbers, sensitive ones in clear, and without what is not known yet.
 */
import { escapeLikeGo, jsonString } from "../../engine/index.ts";
import { BigFloat } from "../../values/big-float.ts";
import { jsonText, toJson } from "../../values/json/json.ts";
import { sortedEntries } from "../../values/set-order.ts";
import { numberType } from "../../values/type.ts";
import { isUnknown, type Value } from "../../values/value.ts";
import { isElements, isEntries } from "../../values/walk.ts";

/** JSON text on one line. What is unknown is left out of objects and null in lists. */
export function exactJson(value: Value | undefined): string {
  if (value === undefined || isUnknown(value)) return "null";
  const { data } = value;
  if (data === null) return "null";
  if (typeof data === "string") return jsonString(data);
  if (typeof data === "boolean") return String(data);
  if (data instanceof BigFloat) return escapeLikeGo(jsonText(toJson({ type: numberType, data }, numberType)));
  if (isElements(data)) return `[${data.map(exactJson).join(",")}]`;
  if (!isEntries(data)) return "null";
  const known = sortedEntries(data).filter(([, inner]) => !isUnknown(inner));
  return `{${known.map(([name, inner]) => `${jsonString(name)}:${exactJson(inner)}`).join(",")}}`;
}
