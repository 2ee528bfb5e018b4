/**
 * @module Converts between the values of callers and the plain objects that kinds work with.
 */
import { isDeepStrictEqual } from "node:util";
import type { ResourceSchema } from "../schema/schema.ts";
import { fromPlain, isPlainObject, type PlainObject, toPlain } from "../values/plain.ts";
import type { Value } from "../values/value.ts";
import { rebuild } from "../values/walk.ts";

/** @param object a known object; its attributes may be unknown */
export function plainObject(object: Value): PlainObject {
  const plain = toPlain(object);
  if (!isPlainObject(plain)) throw new TypeError("an object was expected");
  return plain;
}

/**
 * The object with the attributes that differ in `plain` taken from there. Attributes that are equal keep their value
 * (and with it the type of a dynamic one); where all are, it is the object itself.
 */
export function withPlain(schema: ResourceSchema, object: Value, plain: PlainObject): Value {
  return rebuild(object, (value, step) => {
    const name = "attribute" in step ? step.attribute : "";
    const attribute = schema.attributes[name];
    if (attribute === undefined || isDeepStrictEqual(plain[name], toPlain(value))) return value;
    return fromPlain(plain[name], attribute.type);
  });
}
