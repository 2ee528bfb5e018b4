/**
 * @module Values as OpenTofu has them: typed, possibly null, possibly unknown, possibly sensitive.
 *
 * A value is immutable plain data. `data` holds, by the kind of `type`:
 *
 * | type                 | data                                         |
 * |----------------------|----------------------------------------------|
 * | string, bool         | a JavaScript string (NFC), boolean           |
 * | number               | a {@link BigFloat} (512 bits of mantissa)    |
 * | list, set, tuple     | an array of values; a set is deduplicated and sorted |
 * | map, object          | a `Map` from key or attribute name to value  |
 * | any of them          | `null`, or an {@link Unknown}                |
 *
 * A value whose type is dynamic is either null or unknown.
 */
import { BigFloat } from "./big-float.ts";
import { type Mark, type Refinement, Unknown, type Value } from "./data.ts";
import { sortedSet } from "./set-order.ts";
import {
  boolType,
  listOf,
  mapOf,
  numberType,
  objectOf,
  setOf,
  stringType,
  type Type,
  tupleOf,
} from "./type.ts";

export { type Data, type Mark, type Refinement, Unknown, type Value } from "./data.ts";

const unrefined = new Unknown();

/** Most of an object's settings are null or a bool, and there are thousands of objects: equal ones are one value. */
const nulls = new WeakMap<Type, Value>();
const trueValue: Value = { type: boolType, data: true };
const falseValue: Value = { type: boolType, data: false };

export function nullValue(type: Type): Value {
  const known = nulls.get(type);
  if (known !== undefined) return known;
  const made: Value = { type, data: null };
  nulls.set(type, made);
  return made;
}
export const unknownValue = (type: Type, refinement?: Refinement): Value => ({
  type,
  data: refinement === undefined ? unrefined : new Unknown(refinement),
});
export const stringValue = (text: string): Value => ({ type: stringType, data: text.normalize("NFC") });
export const boolValue = (data: boolean): Value => (data ? trueValue : falseValue);
export const numberValue = (number: number | bigint | BigFloat): Value => ({
  type: numberType,
  data: number instanceof BigFloat ? number : BigFloat.of(number),
});
/** Every element must already have the type `element`. */
export const listValue = (element: Type, data: readonly Value[]): Value => ({ type: listOf(element), data });
export const mapValue = (element: Type, data: ReadonlyMap<string, Value>): Value => ({
  type: mapOf(element),
  data,
});
export const tupleValue = (data: readonly Value[]): Value => ({
  type: tupleOf(data.map((value) => value.type)),
  data,
});
/** The object's type follows from its attributes' values. */
export function objectValue(attributes: Readonly<Record<string, Value>> | ReadonlyMap<string, Value>): Value {
  const data = attributes instanceof Map ? attributes : new Map(Object.entries(attributes));
  const types = Object.fromEntries([...data].map(([name, value]: [string, Value]) => [name, value.type]));
  return { type: objectOf(types), data };
}
/** Elements are deduplicated and put into the order that OpenTofu gives sets. Every element has the type `element`. */
export function setValue(element: Type, elements: readonly Value[]): Value {
  return { type: setOf(element), data: sortedSet(elements) };
}

export const isNull = (value: Value): boolean => value.data === null;
export const isUnknown = (value: Value): boolean => value.data instanceof Unknown;
export const isMarked = (value: Value, mark: Mark): boolean => value.marks?.has(mark) ?? false;
