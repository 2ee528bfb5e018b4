/**
 * @module Conversion of a value to a type, with OpenTofu's rules.
 */
import { BigFloat } from "./big-float.ts";
import { withMarks } from "./marks.ts";
import { mismatch } from "./mismatch.ts";
import type { Path, PathStep } from "./path.ts";
import { objectOfType, withoutOptional } from "./plain-type.ts";
import { hoistMarks, isOpenSet } from "./set.ts";
import { dynamicType, listOf, mapOf, objectOf, setOf, type Type, tupleOf, typeEquals } from "./type.ts";
import { convertible, unify } from "./unify.ts";
import {
  boolValue,
  nullValue,
  numberValue,
  stringValue,
  Unknown,
  unknownValue,
  type Value,
} from "./value.ts";
import { isElements, isEntries, stepType } from "./walk.ts";

export interface Converted {
  readonly value: Value;
}

/** Why a conversion is impossible, without a full stop: `a number is required`. */
export interface ConversionError {
  readonly error: string;
  /** The path inside the value. */
  readonly path: Path;
}

export type Conversion = Converted | ConversionError;

/**
 * Converts a value to `type`. Dynamic parts of `type` are left as they are in the value; missing optional attributes
 * become null; attributes that `type` does not have are dropped. Marks stay where they are.
 */
export function convert(value: Value, type: Type): Conversion {
  if (value.type === type && type.kind !== "object") return { value };
  if (!convertible(value.type, type)) return { error: mismatch(value.type, type), path: [] };
  return convertFitting(value, type);
}

export const isConversionError = (conversion: Conversion): conversion is ConversionError =>
  "error" in conversion;

/** The error with a step added to its path. Paths are built only for errors. */
export const insideOf = (step: PathStep, { error, path }: ConversionError): ConversionError => ({
  error,
  path: [step, ...path],
});

/** Converts a value whose type is known to be convertible. */
function convertFitting(value: Value, type: Type): Conversion {
  if (type.kind === "dynamic") return { value };
  if (value.type === type || typeEquals(value.type, type)) return { value };
  if (value.data === null || value.data instanceof Unknown) return { value: absent(value, type) };
  if (type.kind === "list" && isOpenSet(value)) {
    const target = resultType(value.type, type);
    return { value: withMarks(unknownValue(target, { notNull: true }), value.marks ?? []) };
  }
  const conversion = convertPresent(value, type);
  if (value.marks === undefined || isConversionError(conversion)) return conversion;
  return { value: withMarks(conversion.value, value.marks) };
}

/** Converts a null or unknown. Of an unknown's refinements only "not null" is kept, and how many elements a tuple has. */
function absent({ type: got, data, marks }: Value, type: Type): Value {
  const target = resultType(got, type);
  const kept = data instanceof Unknown && data.refinement !== undefined;
  const absence: Value = {
    type: target,
    data: kept
      ? (elementsToCome(got, target, data) ??
        new Unknown(data.refinement?.notNull ? { notNull: true } : undefined))
      : data,
  };
  return marks === undefined ? absence : withMarks(absence, marks);
}

/** A tuple has as many elements as its type says: so has the list of them, and the set of at most one. */
function elementsToCome(got: Type, target: Type, { refinement }: Unknown): readonly Value[] | undefined {
  if (got.kind !== "tuple" || !refinement?.notNull) return undefined;
  const { length } = got.elements;
  if (target.kind !== "list" && !(target.kind === "set" && length <= 1)) return undefined;
  return Array.from({ length }, () => unknownValue(target.element));
}

function convertPresent(value: Value, type: Type): Conversion {
  switch (type.kind) {
    case "string":
    case "number":
    case "bool":
      return convertPrimitive(value, type.kind);
    case "list":
    case "set":
      return convertToSequence(value, type);
    case "map":
      return convertToMap(value, type.element);
    case "tuple":
      return convertToTuple(value, type.elements);
    case "object":
      return convertToObject(value, type);
    default:
      return { value };
  }
}

function convertPrimitive({ data }: Value, kind: "string" | "number" | "bool"): Conversion {
  if (kind === "string") return { value: stringValue(String(data)) };
  if (kind === "number") {
    const number = typeof data === "string" ? BigFloat.parse(data) : undefined;
    return number === undefined
      ? { error: "a number is required", path: [] }
      : { value: numberValue(number) };
  }
  if (data === "true" || data === "1") return { value: boolValue(true) };
  if (data === "false" || data === "0") return { value: boolValue(false) };
  const lower = String(data).toLowerCase();
  const hint =
    lower === "true" || lower === "false" ? `; to convert from string, use lowercase "${lower}"` : "";
  return { error: `a bool is required${hint}`, path: [] };
}

function convertToSequence(
  { type: got, data }: Value,
  type: Extract<Type, { kind: "list" | "set" }>,
): Conversion {
  const converted: Value[] = [];
  for (const [index, element] of (isElements(data) ? data : []).entries()) {
    const conversion = convertFitting(element, type.element);
    if (isConversionError(conversion)) return insideOf({ index }, conversion);
    converted.push(conversion.value);
  }
  const same = sameType(converted, () => resultElement(got, type.element));
  if (same === undefined) return { error: `all ${type.kind} elements must have the same type`, path: [] };
  if (type.kind === "list") return { value: { type: listOf(same.type), data: same.values } };
  return { value: hoistMarks({ type: setOf(same.type), data: same.values }) };
}

function convertToMap({ type: got, data }: Value, element: Type): Conversion {
  const entries = isEntries(data) ? [...data] : [];
  const converted: Value[] = [];
  for (const [key, value] of entries) {
    const conversion = convertFitting(value, element);
    if (isConversionError(conversion)) return insideOf({ key }, conversion);
    converted.push(conversion.value);
  }
  const same = sameType(withTypedNulls(converted), () => resultElement(got, element));
  if (same === undefined) return { error: "all map elements must have the same type", path: [] };
  const map = new Map(entries.map(([key], i) => [key, same.values[i]!]));
  return { value: { type: mapOf(same.type), data: map } };
}

/** Gives bare nulls in a map the type of the other elements, if these have one type. */
function withTypedNulls(values: readonly Value[]): readonly Value[] {
  const isOpen = ({ type, data }: Value): boolean => type.kind === "dynamic" && data === null;
  const typed = values.filter((value) => !isOpen(value));
  const type = typed[0]?.type;
  if (type === undefined || typed.length === values.length) return values;
  if (!typed.every((value) => typeEquals(value.type, type))) return values;
  return values.map((value) => (isOpen(value) ? { ...value, type } : value));
}

/** Converts elements of a dynamic type to their common type. @param ofNone the type where there are no elements */
function sameType(
  values: readonly Value[],
  ofNone: () => Type,
): { readonly type: Type; readonly values: readonly Value[] } | undefined {
  const first = values[0];
  if (first === undefined) return { type: withoutOptional(ofNone()), values };
  if (values.every((value) => typeEquals(value.type, first.type))) return { type: first.type, values };
  const type = unify(values.map((value) => value.type));
  if (type === undefined || type.kind === "dynamic") return undefined;
  const unified: Value[] = [];
  for (const value of values) {
    const conversion = convertFitting(value, type);
    if (isConversionError(conversion)) return undefined;
    unified.push(conversion.value);
  }
  return { type, values: unified };
}

function convertToTuple({ data }: Value, types: readonly Type[]): Conversion {
  const converted: Value[] = [];
  for (const [index, element] of (isElements(data) ? data : []).entries()) {
    const conversion = convertFitting(element, types[index]!);
    if (isConversionError(conversion)) return insideOf({ index }, conversion);
    converted.push(conversion.value);
  }
  return { value: { type: tupleOf(converted.map((value) => value.type)), data: converted } };
}

function convertToObject({ type: got, data }: Value, wanted: Extract<Type, { kind: "object" }>): Conversion {
  const entries: ReadonlyMap<string, Value> = isEntries(data) ? data : new Map();
  const converted = new Map<string, Value>();
  for (const [name, type] of Object.entries(wanted.attributes)) {
    const inner = entries.get(name);
    if (inner === undefined && !wanted.optional?.has(name)) {
      return { error: `map has no element for required attribute ${JSON.stringify(name)}`, path: [] };
    }
    const step: PathStep = got.kind === "map" ? { key: name } : { attribute: name };
    const conversion: Conversion =
      inner === undefined ? { value: nullValue(withoutOptional(type)) } : convertFitting(inner, type);
    if (isConversionError(conversion)) return insideOf(step, conversion);
    converted.set(name, conversion.value);
  }
  return { value: objectOfType(wanted, converted) };
}

/** The type of a value of type `got` after conversion to `wanted`, as far as types show it. */
function resultType(got: Type, wanted: Type): Type {
  switch (wanted.kind) {
    case "dynamic":
      return got;
    case "list":
    case "set":
    case "map": {
      const element = resultElement(got, wanted.element);
      return wanted.kind === "list"
        ? listOf(element)
        : wanted.kind === "set"
          ? setOf(element)
          : mapOf(element);
    }
    case "tuple": {
      const elements = got.kind === "tuple" ? got.elements : [];
      return tupleOf(wanted.elements.map((type, i) => resultType(elements[i] ?? dynamicType, type)));
    }
    case "object": {
      const inner = (name: string): Type => stepType(got, { attribute: name }) ?? dynamicType;
      const attributes = Object.entries(wanted.attributes);
      return objectOf(
        Object.fromEntries(attributes.map(([name, type]) => [name, resultType(inner(name), type)])),
      );
    }
    default:
      return wanted;
  }
}

function resultElement(got: Type, wanted: Type): Type {
  if ("element" in got) return resultType(got.element, wanted);
  const parts =
    got.kind === "tuple" ? got.elements : got.kind === "object" ? Object.values(got.attributes) : [];
  const types = parts.map((type) => resultType(type, wanted));
  return types.length === 0 ? withoutOptional(wanted) : (unify(types) ?? dynamicType);
}
