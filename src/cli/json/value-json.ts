/**
 * @module Values as JSON that is meant to be shown: what is sensitive is not in it.
 */
import { BigFloat } from "../../values/big-float.ts";
import { isUnknown, type Value } from "../../values/value.ts";
import { isElements, isEntries } from "../../values/walk.ts";
import { isHidden } from "../render/value-lines.ts";

/** A value as `JSON.stringify` takes it. */
export type ShownJson =
  | null
  | boolean
  | number
  | string
  | readonly ShownJson[]
  | { readonly [name: string]: ShownJson };

/** Sensitive parts are `"(sensitive value)"`; what is not known is null; numbers beyond doubles are texts. */
export function shownJson(value: Value | undefined): ShownJson {
  if (value === undefined || isUnknown(value)) return null;
  if (isHidden(value)) return "(sensitive value)";
  const { data } = value;
  if (data === null || typeof data === "string" || typeof data === "boolean") return data;
  if (data instanceof BigFloat) {
    const number = data.toNumber();
    return String(number) === data.toString() ? number : data.toString();
  }
  if (isElements(data)) return data.map(shownJson);
  if (!isEntries(data)) return null;
  return Object.fromEntries([...data].map(([name, inner]) => [name, shownJson(inner)]));
}
