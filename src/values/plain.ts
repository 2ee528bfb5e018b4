/**
 * @module Values ↔ plain JavaScript data, which is what resource kinds calculate with.
 *
 * Nothing is rounded: an integer that a double cannot hold becomes a bigint, and a fraction has a plain
 * form only when the shortest decimal of some double is exactly that number, as every decimal with up to 15 digits is.
 */
import { BigFloat } from "./big-float.ts";
import { dynamicType, type Type } from "./type.ts";
import { friendlyName } from "./type-text.ts";
import {
  boolValue,
  nullValue,
  numberValue,
  objectValue,
  setValue,
  stringValue,
  tupleValue,
  Unknown,
  unknownValue,
  type Value,
} from "./value.ts";
import { isElements } from "./walk.ts";

export type Plain = null | string | number | bigint | boolean | Unknown | readonly Plain[] | PlainObject;

export interface PlainObject {
  readonly [name: string]: Plain;
}

export function isPlainObject(plain: Plain | undefined): plain is PlainObject {
  return typeof plain === "object" && plain !== null && !Array.isArray(plain) && !(plain instanceof Unknown);
}

/**
 * The data without types and marks. Lists, sets and tuples become arrays, maps and objects become objects, unknown
 * stays an {@link Unknown}. A fraction that no double stands for, such as 1/3, becomes the nearest.
 */
export function toPlain({ data }: Value): Plain {
  if (data === null || typeof data === "string" || typeof data === "boolean" || data instanceof Unknown)
    return data;
  if (data instanceof BigFloat) return plainNumber(data);
  if (isElements(data)) return data.map(toPlain);
  const plain: Record<string, Plain> = {};
  for (const [name, value] of data) {
    // What is assigned to this name is the prototype.
    if (name === "__proto__") Object.defineProperty(plain, name, { ...ownMember, value: toPlain(value) });
    else plain[name] = toPlain(value);
  }
  return plain;
}

const ownMember = { configurable: true, enumerable: true, writable: true };

function plainNumber(number: BigFloat): number | bigint {
  const double = number.toNumber();
  return number.isFinite && number.isInteger && !Number.isSafeInteger(double) ? number.toBigInt() : double;
}

/** A double as the decimal that it is written as: 0.1 means one tenth. */
function fraction(double: number): BigFloat {
  return BigFloat.parse(String(double)) ?? BigFloat.of(double);
}

/**
 * The value of a type that plain data stands for. Attributes of an object that are missing or undefined are null; what
 * is dynamic gets the data's own type, arrays as tuples.
 *
 * @throws TypeError where the data does not fit the type: there is no conversion here, `"1"` is no number
 */
export function fromPlain(plain: Plain | undefined, type: Type): Value {
  if (plain === null || plain === undefined) return nullValue(type);
  if (plain instanceof Unknown) return unknownValue(type, plain.refinement);
  switch (type.kind) {
    case "dynamic":
      return dynamicFromPlain(plain);
    case "string":
      if (typeof plain === "string") return stringValue(plain);
      break;
    case "bool":
      if (typeof plain === "boolean") return boolValue(plain);
      break;
    case "number":
      if (typeof plain === "bigint") return numberValue(plain);
      if (typeof plain === "number") return numberValue(fraction(plain));
      break;
    default: {
      const value = compositeFromPlain(plain, type);
      if (value !== undefined) return value;
    }
  }
  throw new TypeError(`${describe(plain)} is no ${friendlyName(type)}`);
}

function isPlainArray(plain: Plain): plain is readonly Plain[] {
  return Array.isArray(plain);
}

function describe(plain: Plain): string {
  if (Array.isArray(plain)) return "an array";
  return typeof plain === "object" ? "an object" : `a ${typeof plain}`;
}

function compositeFromPlain(plain: Plain, type: Type): Value | undefined {
  if (isPlainArray(plain)) {
    if (type.kind === "list") return { type, data: plain.map((item) => fromPlain(item, type.element)) };
    if (type.kind === "set") {
      return setValue(
        type.element,
        plain.map((item) => fromPlain(item, type.element)),
      );
    }
    if (type.kind !== "tuple" || plain.length !== type.elements.length) return undefined;
    return tupleValue(plain.map((item, i) => fromPlain(item, type.elements[i]!)));
  }
  if (!isPlainObject(plain)) return undefined;
  if (type.kind === "map") {
    const entries = Object.entries(plain).map(([key, item]) => [key, fromPlain(item, type.element)] as const);
    return { type, data: new Map(entries) };
  }
  return type.kind === "object" ? objectFromPlain(plain, type.attributes) : undefined;
}

function objectFromPlain(plain: PlainObject, attributes: Readonly<Record<string, Type>>): Value {
  const extra = Object.keys(plain).find((name) => !Object.hasOwn(attributes, name));
  if (extra !== undefined) throw new TypeError(`the object has no attribute ${JSON.stringify(extra)}`);
  const entries = Object.entries(attributes).map(([name, type]) => {
    return [name, fromPlain(Object.hasOwn(plain, name) ? plain[name] : null, type)] as const;
  });
  return objectValue(new Map(entries));
}

function dynamicFromPlain(plain: string | number | bigint | boolean | readonly Plain[] | PlainObject): Value {
  if (typeof plain === "string") return stringValue(plain);
  if (typeof plain === "boolean") return boolValue(plain);
  if (typeof plain === "number") return numberValue(fraction(plain));
  if (typeof plain === "bigint") return numberValue(plain);
  if (isPlainArray(plain)) return tupleValue(plain.map((item) => fromPlain(item, dynamicType)));
  const entries = Object.entries(plain).map(([name, item]) => [name, fromPlain(item, dynamicType)] as const);
  return objectValue(new Map(entries));
}
