/**
 * @module Values and types in the JSON form of state files.
 *
 * cty's: a value is written by its type, and where the type is dynamic it is wrapped as `{"value": …, "type": …}`.
 */
import { BigFloat } from "../big-float.ts";
import { type Conversion, type ConversionError, insideOf, isConversionError } from "../convert.ts";
import type { PathStep } from "../path.ts";
import { objectOfType } from "../plain-type.ts";
import { markedSet } from "../set.ts";
import {
  boolType,
  dynamicType,
  listOf,
  mapOf,
  numberType,
  objectOf,
  setOf,
  stringType,
  type Type,
  tupleOf,
} from "../type.ts";
import { friendlyConstraint } from "../type-text.ts";
import { boolValue, nullValue, numberValue, stringValue, Unknown, type Value } from "../value.ts";
import { isElements, isEntries } from "../walk.ts";
import { isJsonArray, isJsonObject, type Json, type JsonObject, newJsonObject } from "./json-text.ts";

export { type Json, jsonText, parseJson } from "./json-text.ts";

/**
 * The JSON form of a value that has the type `type`, or fits it where that is dynamic. Marks are left out.
 *
 * @throws RangeError for an unknown or an infinity: neither can be stored
 */
export function toJson(value: Value, type: Type): Json {
  const { data } = value;
  if (data instanceof Unknown) throw new RangeError("an unknown value cannot be stored");
  if (type.kind === "dynamic") {
    if (data === null && value.type.kind === "dynamic") return null;
    return { value: toJson(value, value.type), type: typeToJson(value.type) };
  }
  if (data === null || typeof data === "boolean" || typeof data === "string") return data;
  if (data instanceof BigFloat) {
    if (!data.isFinite) throw new RangeError("an infinity cannot be stored");
    return data;
  }
  if (isElements(data)) {
    return data.map((element, i) => toJson(element, elementType(type, i) ?? element.type));
  }
  const object = newJsonObject();
  for (const [name, inner] of isEntries(data) ? data : []) {
    object[name] = toJson(inner, attributeType(type, name) ?? inner.type);
  }
  return object;
}

function elementType(type: Type, index: number): Type | undefined {
  return "element" in type ? type.element : "elements" in type ? type.elements[index] : undefined;
}

function attributeType(type: Type, name: string): Type | undefined {
  if ("element" in type) return type.element;
  return "attributes" in type && Object.hasOwn(type.attributes, name) ? type.attributes[name] : undefined;
}

/** The value of the type `type` that a JSON form stands for. Attributes of an object that are missing are null. */
export function fromJson(json: Json, type: Type): Conversion {
  return read(json, type);
}

function read(json: Json, type: Type): Conversion {
  if (type.kind === "dynamic") return readDynamic(json);
  if (json === null) return { value: nullValue(type) };
  switch (type.kind) {
    case "string":
    case "number":
    case "bool":
      return readPrimitive(json, type);
    case "list":
    case "set":
    case "tuple":
      return readElements(json, type);
    case "map":
      return readMap(json, type.element);
    case "object":
      return readObject(json, type);
  }
}

function readDynamic(json: Json): Conversion {
  if (json === null) return { value: nullValue(dynamicType) };
  const type = isJsonObject(json) && json.type !== undefined ? typeFromJson(json.type) : undefined;
  if (type === undefined || !isJsonObject(json) || json.value === undefined) {
    return { error: "an object with a value and its type is required", path: [] };
  }
  return read(json.value, type);
}

function required(type: Type): Conversion {
  const article = type.kind === "object" ? "an" : "a";
  return { error: `${article} ${friendlyConstraint(type)} is required`, path: [] };
}

function readPrimitive(json: Json, type: Type): Conversion {
  if (type.kind === "string") {
    if (typeof json === "string") return { value: stringValue(json) };
    if (json instanceof BigFloat || typeof json === "boolean") return { value: stringValue(String(json)) };
  } else if (type.kind === "number") {
    const number = typeof json === "string" ? BigFloat.parse(json) : json;
    if (number instanceof BigFloat) return { value: numberValue(number) };
  } else {
    if (typeof json === "boolean") return { value: boolValue(json) };
    if (json === "true" || json === "false") return { value: boolValue(json === "true") };
  }
  return required(type);
}

function readElements(json: Json, type: Extract<Type, { kind: "list" | "set" | "tuple" }>): Conversion {
  if (!isJsonArray(json)) return required(type);
  if (type.kind === "tuple" && type.elements.length !== json.length) {
    return { error: `a tuple with ${type.elements.length} elements is required`, path: [] };
  }
  const elements: Value[] = [];
  for (const [index, item] of json.entries()) {
    const element = read(item, elementType(type, index)!);
    if (isConversionError(element)) return insideOf({ index }, element);
    elements.push(element.value);
  }
  if (type.kind === "set") return { value: markedSet(type.element, elements) };
  return {
    value: { type: type.kind === "list" ? type : tupleOf(elements.map((e) => e.type)), data: elements },
  };
}

function readMap(json: Json, element: Type): Conversion {
  if (!isJsonObject(json)) return required(mapOf(element));
  const entries = readEntries(
    json,
    Object.keys(json),
    () => element,
    (key) => ({ key }),
  );
  return entries instanceof Map ? { value: { type: mapOf(element), data: entries } } : entries;
}

function readObject(json: Json, type: Extract<Type, { kind: "object" }>): Conversion {
  if (!isJsonObject(json)) return required(type);
  const extra = Object.keys(json).find((name) => !Object.hasOwn(type.attributes, name));
  if (extra !== undefined) return { error: `unsupported attribute ${JSON.stringify(extra)}`, path: [] };
  const names = Object.keys(type.attributes);
  const entries = readEntries(
    json,
    names,
    (name) => type.attributes[name]!,
    (attribute) => ({ attribute }),
  );
  return entries instanceof Map ? { value: objectOfType(type, entries) } : entries;
}

function readEntries(
  json: JsonObject,
  names: readonly string[],
  typeOf: (name: string) => Type,
  step: (name: string) => PathStep,
): Map<string, Value> | ConversionError {
  const entries = new Map<string, Value>();
  for (const name of names) {
    const inner = read(Object.hasOwn(json, name) ? json[name]! : null, typeOf(name));
    if (isConversionError(inner)) return insideOf(step(name), inner);
    entries.set(name.normalize("NFC"), inner.value);
  }
  return entries;
}

/** A type as state files and schemas write it: `"string"`, `["list", "string"]`, `["object", {"a": "number"}]`. */
export function typeToJson(type: Type): Json {
  switch (type.kind) {
    case "list":
    case "set":
    case "map":
      return [type.kind, typeToJson(type.element)];
    case "tuple":
      return ["tuple", type.elements.map(typeToJson)];
    case "object": {
      const attributes = Object.entries(type.attributes).map(
        ([name, inner]) => [name, typeToJson(inner)] as const,
      );
      const object: Json[] = ["object", Object.fromEntries(attributes)];
      if (type.optional !== undefined && type.optional.size > 0) object.push([...type.optional].sort());
      return object;
    }
    default:
      return type.kind;
  }
}

const primitives: Readonly<Record<string, Type>> = {
  string: stringType,
  number: numberType,
  bool: boolType,
  dynamic: dynamicType,
};

/** The type that {@link typeToJson} wrote, or undefined when it is none. */
export function typeFromJson(json: Json): Type | undefined {
  if (typeof json === "string") return Object.hasOwn(primitives, json) ? primitives[json] : undefined;
  if (!isJsonArray(json)) return undefined;
  const [kind, inner, optional] = json;
  if (inner === undefined) return undefined;
  if (kind === "object") return objectTypeFromJson(inner, optional);
  if (kind === "tuple") {
    const elements = isJsonArray(inner) ? inner.map(typeFromJson) : [undefined];
    return elements.every((type) => type !== undefined) ? tupleOf(elements) : undefined;
  }
  const element = typeFromJson(inner);
  if (element === undefined) return undefined;
  if (kind === "list") return listOf(element);
  if (kind === "set") return setOf(element);
  return kind === "map" ? mapOf(element) : undefined;
}

function objectTypeFromJson(json: Json, optional: Json | undefined): Type | undefined {
  if (!isJsonObject(json)) return undefined;
  const attributes: [string, Type][] = [];
  for (const [name, inner] of Object.entries(json)) {
    const type = typeFromJson(inner);
    if (type === undefined) return undefined;
    attributes.push([name, type]);
  }
  const names = isJsonArray(optional) ? optional.filter((name) => typeof name === "string") : undefined;
  return objectOf(Object.fromEntries(attributes), names);
}
