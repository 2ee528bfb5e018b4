/**
 * @module Where a value is sensitive, and where it is not known yet, in the form that OpenTofu's JSON has: `true` at such
 * a path, nothing where an object has none.
 * Source: https://opentofu.org/docs/internals/json-format/#change-representation, and what `tofu show -json` 1.12 prints.
 */
import type { BlockSchema } from "../../schema/schema.ts";
import { isMarked, isUnknown, type Value } from "../../values/value.ts";
import { isElements, isEntries, isWhollyKnown } from "../../values/walk.ts";
import type { ShownJson } from "./value-json.ts";

/** @param schema of an object: what it says is sensitive is so although it is null */
export const sensitiveMask = (value: Value, schema?: BlockSchema): ShownJson =>
  maskOf(value, (inner) => isMarked(inner, "sensitive"), schema);

/** `{}` if everything is known. */
export const unknownMask = (value: Value): ShownJson =>
  isWhollyKnown(value) ? {} : maskOf(value, isUnknown);

function maskOf(value: Value, is: (value: Value) => boolean, schema?: BlockSchema): ShownJson {
  if (is(value)) return true;
  const { data } = value;
  if (isElements(data)) return data.map((inner) => maskOf(inner, is, schema));
  if (!isEntries(data)) return false;
  const found = [...data].map(([name, inner]) => {
    const declared = schema?.attributes[name]?.sensitive === true;
    return [name, declared || maskOf(inner, is, schema?.blocks[name])] as const;
  });
  return Object.fromEntries(found.filter(([, mask]) => mask !== false));
}
