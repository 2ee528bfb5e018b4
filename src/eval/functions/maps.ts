/**
 * @module Maps and objects.
 */
import { convert, isConversionError } from "../../values/convert.ts";
import { sortedEntries } from "../../values/set-order.ts";
import {
  dynamicType,
  listOf,
  mapOf,
  objectOf,
  stringType,
  type Type,
  tupleOf,
  typeEquals,
} from "../../values/type.ts";
import { unify } from "../../values/unify.ts";
import {
  isUnknown,
  listValue,
  mapValue,
  objectValue,
  stringValue,
  tupleValue,
  unknownValue,
  type Value,
} from "../../values/value.ts";
import { type EagerFunction, functionError } from "../function-definition.ts";
import { container, elements, entries, inside, parameter, text } from "./arguments.ts";

const isMapping = ({ type }: Value): boolean =>
  type.kind === "map" || type.kind === "object" || type.kind === "dynamic";

const keys: EagerFunction = {
  name: "keys",
  params: [parameter("inputMap", dynamicType, { allowUnknown: true, allowMarked: "inside" })],
  returnType: ([map]) => {
    if (map === undefined || map.type.kind === "dynamic") return dynamicType;
    if (map.type.kind === "map") return listOf(stringType);
    if (map.type.kind !== "object") return functionError("must have map or object type", 0);
    return tupleOf(Object.keys(map.type.attributes).map(() => stringType));
  },
  call: ([map]) => {
    const { type, data } = map!;
    if (type.kind === "object") {
      const names = new Map(Object.keys(type.attributes).map((name) => [name, map!]));
      return tupleValue(sortedEntries(names).map(([name]) => stringValue(name)));
    }
    if (!(data instanceof Map)) return unknownValue(type.kind === "map" ? listOf(stringType) : dynamicType);
    return listValue(
      stringType,
      sortedEntries(entries(map)).map(([name]) => stringValue(name)),
    );
  },
};

const values: EagerFunction = {
  name: "values",
  params: [container("mapping")],
  returnType: ([map]) => {
    if (map === undefined || map.type.kind === "dynamic") return dynamicType;
    if (map.type.kind === "map") return listOf(map.type.element);
    return map.type.kind === "object"
      ? dynamicType
      : functionError("values() requires a map as the first argument", 0);
  },
  call: ([map]) => {
    const all = sortedEntries(entries(map)).map(([, value]) => value);
    return map!.type.kind === "map" ? listValue(map!.type.element, all) : tupleValue(all);
  },
};

const lookup: EagerFunction = {
  name: "lookup",
  params: [container("inputMap"), parameter("key", stringType)],
  variadic: parameter("default", dynamicType, { allowNull: true, allowUnknown: true, allowMarked: true }),
  returnType: ([map, key, fallback, ...rest]) => {
    if (rest.length > 0)
      return functionError(`lookup() takes two or three arguments, got ${rest.length + 3}`);
    if (map === undefined || !isMapping(map))
      return functionError("lookup() requires a map as the first argument", 0);
    if (map.type.kind === "map") return map.type.element;
    if (map.type.kind !== "object" || key === undefined || isUnknown(key)) return dynamicType;
    const name = text(key);
    if (Object.hasOwn(map.type.attributes, name)) return map.type.attributes[name]!;
    return fallback?.type ?? dynamicType;
  },
  call: ([map, key, fallback]) => {
    const found = entries(map).get(text(key));
    if (found === undefined && fallback === undefined) {
      return functionError(`the given object has no attribute ${JSON.stringify(text(key))}`, 0);
    }
    if (map!.type.kind !== "map" || fallback === undefined) return found ?? fallback!;
    // The default has to fit even where it is not needed.
    const converted = convert(fallback, map!.type.element);
    if (!isConversionError(converted)) return found ?? converted.value;
    return functionError("the default value must have the same type as the map elements", 2);
  },
};

const merge: EagerFunction = {
  name: "merge",
  params: [],
  variadic: parameter("maps", dynamicType, { ...inside, allowNull: true }),
  returnType: (args) => {
    const wrong = args.findIndex((value) => !isMapping(value));
    if (wrong >= 0)
      return functionError(`arguments must be maps or objects, got "${args[wrong]!.type.kind}"`, wrong);
    const [first] = args;
    if (first?.type.kind === "map" && args.every(({ type }) => typeEquals(type, first.type)))
      return first.type;
    const attributes: Record<string, Type> = {};
    for (const value of args) {
      if (value.type.kind !== "object") return dynamicType;
      Object.assign(attributes, value.type.attributes);
    }
    return objectOf(attributes);
  },
  call: (args) => {
    const merged = new Map(args.flatMap((value) => [...entries(value)]));
    const types = args.filter(({ data }) => data !== null).map(({ type }) => type);
    const first = types[0];
    const sameMaps = first?.kind === "map" && types.every((type) => typeEquals(type, first));
    return sameMaps ? { type: first, data: merged } : objectValue(merged);
  },
};

const zipmap: EagerFunction = {
  name: "zipmap",
  params: [parameter("keys", listOf(stringType)), container("values")],
  returnType: ([, list]) => {
    if (list === undefined || list.type.kind === "dynamic" || list.type.kind === "tuple") return dynamicType;
    return list.type.kind === "list"
      ? mapOf(list.type.element)
      : functionError("values argument must be a list or tuple value", 1);
  },
  call: ([names, list]) => {
    const all = elements(list);
    if (elements(names).length !== all.length) {
      return functionError(
        `number of keys (${elements(names).length}) does not match number of values (${all.length})`,
      );
    }
    const map = new Map(elements(names).map((name, i) => [text(name), all[i]!]));
    return list!.type.kind === "list" ? mapValue(list!.type.element, map) : objectValue(map);
  },
};

const transpose: EagerFunction = {
  name: "transpose",
  params: [parameter("values", mapOf(listOf(stringType)))],
  returnType: mapOf(listOf(stringType)),
  call: ([map]) => {
    const turned = new Map<string, Value[]>();
    for (const [key, list] of sortedEntries(entries(map))) {
      for (const value of elements(list)) {
        turned.set(text(value), [...(turned.get(text(value)) ?? []), stringValue(key)]);
      }
    }
    const data = [...turned].map(([name, list]) => [name, listValue(stringType, list)] as const);
    return mapValue(listOf(stringType), new Map(data));
  },
};

const isPrimitiveKind = (kind: string): boolean => kind === "string" || kind === "number" || kind === "bool";

const coalesce: EagerFunction = {
  name: "coalesce",
  params: [],
  variadic: parameter("vals", dynamicType, { allowNull: true, allowUnknown: true }),
  returnType: (args) => {
    if (args.length === 0) return functionError("at least one argument is required");
    const type = unify(args.map(({ type }) => type));
    if (type !== undefined) return type;
    const kinds = args.map(({ type }) => type.kind);
    const open =
      kinds.includes("dynamic") && kinds.every((kind) => kind === "dynamic" || isPrimitiveKind(kind));
    return open ? dynamicType : functionError("all arguments must have the same type");
  },
  call: (args) => {
    const type = unify(args.map((value) => value.type)) ?? dynamicType;
    for (const value of args) {
      if (isUnknown(value)) return unknownValue(type);
      const converted = convert(value, type);
      if (isConversionError(converted)) return functionError(converted.error);
      if (converted.value.data !== null && converted.value.data !== "") return converted.value;
    }
    return functionError("no non-null, non-empty-string arguments");
  },
};

export const mapFunctions: readonly EagerFunction[] = [
  keys,
  values,
  lookup,
  merge,
  zipmap,
  transpose,
  coalesce,
];
