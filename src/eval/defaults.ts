/**
 * @module Defaults of optional attributes, put in before a value is converted to its type.
 */
import { convert, isConversionError } from "../values/convert.ts";
import { mapOf } from "../values/type.ts";
import { unify } from "../values/unify.ts";
import { isUnknown, objectValue, tupleValue, type Value } from "../values/value.ts";
import { isElements, isEntries } from "../values/walk.ts";

/** The defaults inside a type. Which members there are depends on the kind of type. */
export interface Defaults {
  /** For an object: the default values of attributes. */
  readonly values?: ReadonlyMap<string, Value>;
  /** For an object: the defaults inside its attributes. */
  readonly attributes?: ReadonlyMap<string, Defaults>;
  /** For a list, set or map: the defaults inside its elements. */
  readonly element?: Defaults;
  /** For a tuple: the defaults inside its elements, by position. */
  readonly elements?: ReadonlyMap<number, Defaults>;
}

/**
 * The value with a default for each optional attribute that is missing or null, also inside of defaults themselves.
 * It is to be converted to the constraint's type next. Marks stay.
 */
export function applyDefaults(value: Value, defaults: Defaults | undefined): Value {
  if (defaults === undefined || value.data === null || isUnknown(value)) return value;
  if (defaults.values !== undefined || defaults.attributes !== undefined) return toObject(value, defaults);
  const { data, type } = value;
  if (isElements(data)) {
    const filled = data.map((element, i) =>
      applyDefaults(element, defaults.element ?? defaults.elements?.get(i)),
    );
    // Defaults add attributes, so the common type of the elements is determined again.
    return unchanged(data, filled) ? value : withMarks(tupleValue(filled), value);
  }
  if (!isEntries(data) || defaults.element === undefined) return value;
  const filled = new Map([...data].map(([key, element]) => [key, applyDefaults(element, defaults.element)]));
  if (unchanged([...data.values()], [...filled.values()])) return value;
  return type.kind === "map" ? asMap(filled, value) : withMarks(objectValue(filled), value);
}

function toObject(value: Value, defaults: Defaults): Value {
  if (!isEntries(value.data)) return value;
  const filled = new Map(value.data);
  for (const [name, standard] of defaults.values ?? []) {
    const given = filled.get(name);
    if (given === undefined || (given.data === null && given.marks === undefined)) filled.set(name, standard);
  }
  for (const [name, inner] of defaults.attributes ?? []) {
    const given = filled.get(name);
    if (given !== undefined) filled.set(name, applyDefaults(given, inner));
  }
  return withMarks(objectValue(filled), value);
}

/** A map's elements have one type; where the defaults left them without one, it is an object from here on. */
function asMap(entries: ReadonlyMap<string, Value>, original: Value): Value {
  const type = unify([...entries.values()].map((element) => element.type));
  const object = withMarks(objectValue(entries), original);
  const map = type === undefined ? undefined : convert(object, mapOf(type));
  return map === undefined || isConversionError(map) ? object : map.value;
}

function unchanged(before: readonly Value[], after: readonly Value[]): boolean {
  return before.every((value, i) => value === after[i]);
}

function withMarks(value: Value, original: Value): Value {
  return original.marks === undefined ? value : { ...value, marks: original.marks };
}
