/**
 * @module `.name` and `[key]` on a value.
 */
import { didYouMean } from "../diagnostics/nearest.ts";
import type { SourceRange } from "../diagnostics/source.ts";
import { BigFloat } from "../values/big-float.ts";
import { convert, isConversionError } from "../values/convert.ts";
import { numberType, stringType, type Type } from "../values/type.ts";
import { Unknown, unknownValue, type Value } from "../values/value.ts";
import { isElements, isEntries } from "../values/walk.ts";
import { anything, type Evaluator, failed, withMarksOf } from "./evaluator.ts";

/** An object's attribute or a map's element. `range` is that of the name. */
export function attributeOf(value: Value, written: string, range: SourceRange, at: Evaluator): Value {
  const { type, data } = value;
  // Keys of values are in NFC; declared names are as written.
  const name = isEntries(data) && data.has(written) ? written : written.normalize("NFC");
  if (data === null) {
    return failed(
      at,
      range,
      "Attempt to get attribute from null value",
      "This value is null, so it does not have any attributes.",
    );
  }
  if (type.kind === "dynamic") return withMarksOf(anything, value);
  if (type.kind === "object") return objectAttribute(value, type.attributes, name, range, at);
  if (type.kind !== "map") return failed(at, range, "Unsupported attribute", noAttributes(type, name));
  if (!isEntries(data)) return withMarksOf(unknownValue(type.element), value);
  const element = data.get(name);
  if (element !== undefined) return withMarksOf(element, element, value);
  const hint = at.secret || isHidden(value) ? "" : didYouMean(name, data.keys());
  const detail = `This map does not have an element with the key ${JSON.stringify(name)}.${hint}`;
  return failed(at, range, "Missing map element", detail);
}

function objectAttribute(
  value: Value,
  attributes: Readonly<Record<string, Type>>,
  name: string,
  range: SourceRange,
  at: Evaluator,
): Value {
  if (!Object.hasOwn(attributes, name)) {
    const hint = didYouMean(name, Object.keys(attributes));
    const detail = `This object does not have an attribute named ${JSON.stringify(name)}.${hint}`;
    return failed(at, range, "Unsupported attribute", detail);
  }
  const attribute = isEntries(value.data) ? value.data.get(name) : undefined;
  return withMarksOf(attribute ?? unknownValue(attributes[name]!), ...(attribute ? [attribute] : []), value);
}

function noAttributes(type: Type, name: string): string {
  if ((type.kind === "list" || type.kind === "set") && type.element.kind === "object") {
    const attributes = type.element.attributes;
    if (type.kind === "list" && Object.hasOwn(attributes, name)) {
      return `Can't access attributes on a list of objects. Did you mean to access attribute ${JSON.stringify(name)} for a specific element of the list, or across all elements of the list?`;
    }
    return `Can't access attributes on a ${type.kind} of objects. Did you mean to access an attribute across all elements of the ${type.kind}?`;
  }
  if (type.kind === "string" || type.kind === "number" || type.kind === "bool") {
    return `Can't access attributes on a primitive-typed value (${type.kind}).`;
  }
  return "This value does not have any attributes.";
}

/** Keys to suggest. Those of a sensitive value are sensitive as well, and never suggested. */
const isHidden = ({ marks }: Value): boolean => marks !== undefined && marks.size > 0;

const noSuchElement = "The given key does not identify an element in this collection value";

/** A collection's element, or an object's attribute by its name. `range` is that of the key. */
export function elementOf(collection: Value, key: Value, range: SourceRange, at: Evaluator): Value {
  const invalid = (detail: string): Value => failed(at, range, "Invalid index", detail);
  if (collection.data === null) {
    const detail = "This value is null, so it does not have any indices.";
    return failed(at, range, "Attempt to index null value", detail);
  }
  if (key.data === null) return invalid("Can't use a null value as an indexing key.");
  const found = find(collection, key, at.secret || isHidden(collection) || isHidden(key));
  if (typeof found === "string") return invalid(found);
  return withMarksOf(found, found, collection, key);
}

/** The element, which may be unknown; or why there is none. */
function find(collection: Value, key: Value, hidden: boolean): Value | string {
  const { type } = collection;
  switch (type.kind) {
    case "dynamic":
      return anything;
    case "list":
    case "tuple":
      return elementAt(collection, type, key);
    case "map":
    case "object":
      return elementNamed(collection, type, key, hidden);
    case "set":
      return "Elements of a set are identified only by their value and don't have any separate index or key to select with, so it's only possible to perform operations across all elements of the set.";
    default:
      return "This value does not have any indices.";
  }
}

function elementAt(
  { data }: Value,
  type: Extract<Type, { kind: "list" | "tuple" }>,
  key: Value,
): Value | string {
  const conversion = convert(key, numberType);
  if (isConversionError(conversion)) return `${noSuchElement}: ${conversion.error}.`;
  const position = conversion.value.data;
  const open = unknownValue(type.kind === "list" ? type.element : anything.type);
  if (!(position instanceof BigFloat)) return open;
  if (!position.isInteger) {
    return `${noSuchElement}: indexing a sequence requires a whole number, but the given index has a fractional part.`;
  }
  if (position.sign < 0) {
    return `${noSuchElement}: a negative number is not a valid index for a sequence.`;
  }
  const index = position.toNumber();
  if (isElements(data)) {
    if (data.length === 0) return `${noSuchElement}: the collection has no elements.`;
    return data[index] ?? `${noSuchElement}.`;
  }
  if (type.kind === "list") return open;
  const element = type.elements[index];
  return element === undefined ? `${noSuchElement}.` : unknownValue(element);
}

function elementNamed(
  { data }: Value,
  type: Extract<Type, { kind: "map" | "object" }>,
  key: Value,
  hidden: boolean,
): Value | string {
  const conversion = convert(key, stringType);
  if (isConversionError(conversion)) return `${noSuchElement}: ${conversion.error}.`;
  const name = conversion.value.data;
  if (name instanceof Unknown) return unknownValue(type.kind === "map" ? type.element : anything.type);
  if (typeof name !== "string") return `${noSuchElement}.`;
  if (isEntries(data)) {
    return data.get(name) ?? `${noSuchElement}.${hidden ? "" : didYouMean(name, data.keys())}`;
  }
  if (type.kind === "map") return unknownValue(type.element);
  if (Object.hasOwn(type.attributes, name)) return unknownValue(type.attributes[name]!);
  return `${noSuchElement}.${hidden ? "" : didYouMean(name, Object.keys(type.attributes))}`;
}
