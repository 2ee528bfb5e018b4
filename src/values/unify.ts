/**
 * @module Whether values of one type can be converted to another, judged by the types alone, and the one type that
 * values of several types can be converted to: each question leads to the other.
 *
 * cty's rules (`convert.GetConversionUnsafe`, `convert.UnifyUnsafe`). A conversion that exists may still fail for a
 * value: `"x"` is no number. The rules decide for example that `[1]` and `[2, 3]` become a list and that
 * `{a = 1}` and `{b = 2}` become a map.
 */
import { dynamicType, listOf, mapOf, objectOf, setOf, type Type, tupleOf, typeEquals } from "./type.ts";

type ObjectType = Extract<Type, { kind: "object" }>;
type TupleType = Extract<Type, { kind: "tuple" }>;

/** Whether some value of the type `got` can become one of the type `wanted`. */
export function convertible(got: Type, wanted: Type): boolean {
  if (got === wanted || wanted.kind === "dynamic" || got.kind === "dynamic") return true;
  switch (wanted.kind) {
    case "string":
      return got.kind === "string" || got.kind === "number" || got.kind === "bool";
    case "number":
    case "bool":
      return got.kind === wanted.kind || got.kind === "string";
    case "list":
    case "set":
      if (got.kind === "tuple") return allConvertible(got.elements, wanted.element);
      return (got.kind === "list" || got.kind === "set") && convertible(got.element, wanted.element);
    case "map":
      if (got.kind === "object") return allConvertible(Object.values(got.attributes), wanted.element);
      return got.kind === "map" && convertible(got.element, wanted.element);
    case "tuple":
      return (
        got.kind === "tuple" &&
        got.elements.length === wanted.elements.length &&
        wanted.elements.every((type, i) => convertible(got.elements[i]!, type))
      );
    case "object":
      return convertibleToObject(got, wanted);
  }
}

function allConvertible(types: readonly Type[], wanted: Type): boolean {
  if (wanted.kind === "dynamic") return unify(types) !== undefined;
  return types.every((type) => convertible(type, wanted));
}

function convertibleToObject(got: Type, wanted: ObjectType): boolean {
  const attributes = Object.entries(wanted.attributes);
  if (got.kind === "map") return attributes.every(([, type]) => convertible(got.element, type));
  if (got.kind !== "object") return false;
  return attributes.every(([name, type]) =>
    Object.hasOwn(got.attributes, name)
      ? convertible(got.attributes[name]!, type)
      : wanted.optional?.has(name) === true,
  );
}

/** The common type, or undefined when there is none. Of no types at all it is dynamic. */
export function unify(types: readonly Type[]): Type | undefined {
  const first = types[0];
  if (first === undefined) return dynamicType;
  if (types.every((type) => typeEquals(type, first))) return first;

  const kinds = new Set(types.map(({ kind }) => kind));
  const dynamic = kinds.delete("dynamic");
  if (kinds.size === 1) {
    const [kind] = kinds;
    if (kind === "list" || kind === "set" || kind === "map") return unifyCollections(types, kind, dynamic);
    if (kind === "object") return dynamic ? dynamicType : unifyObjects(types as readonly ObjectType[]);
    if (kind === "tuple") return dynamic ? dynamicType : unifyTuples(types as readonly TupleType[]);
  }
  const mixed = unifyStructuralWithCollection(types, kinds, dynamic);
  if (mixed !== undefined) return mixed;
  if (kinds.has("object") && kinds.has("tuple")) return undefined;
  return mostGeneral(types);
}

function unifyCollections(
  types: readonly Type[],
  kind: "list" | "set" | "map",
  dynamic: boolean,
): Type | undefined {
  if (dynamic) return dynamicType;
  const element = unify(types.map((type) => (type as Extract<Type, { kind: typeof kind }>).element));
  if (element === undefined) return undefined;
  return kind === "list" ? listOf(element) : kind === "set" ? setOf(element) : mapOf(element);
}

/** Objects among maps are tried as maps, tuples among lists as lists. */
function unifyStructuralWithCollection(
  types: readonly Type[],
  kinds: ReadonlySet<Type["kind"]>,
  dynamic: boolean,
): Type | undefined {
  if (kinds.size !== 2) return undefined;
  const asCollections = (collection: (types: readonly Type[]) => Type | undefined): Type | undefined => {
    const made = types.map((type) => collection([type]) ?? type);
    const kind = kinds.has("map") ? "map" : "list";
    if (made.some((type) => type.kind !== kind && type.kind !== "dynamic")) return undefined;
    return unifyCollections(made, kind, dynamic);
  };
  if (kinds.has("map") && kinds.has("object")) {
    return asCollections(([type]) => (type?.kind === "object" ? objectsToMap([type]) : type));
  }
  if (kinds.has("list") && kinds.has("tuple")) {
    return asCollections(([type]) => (type?.kind === "tuple" ? tuplesToList([type]) : type));
  }
  return undefined;
}

function unifyObjects(types: readonly ObjectType[]): Type | undefined {
  const names = Object.keys(types[0]!.attributes);
  const alike = types.every(
    ({ attributes }) =>
      Object.keys(attributes).length === names.length &&
      names.every((name) => Object.hasOwn(attributes, name)),
  );
  if (!alike) return objectsToMap(types);
  const unified: [string, Type][] = [];
  for (const name of names) {
    const type = unify(types.map(({ attributes }) => attributes[name]!));
    if (type === undefined) return undefined;
    unified.push([name, type]);
  }
  return objectOf(Object.fromEntries(unified));
}

function objectsToMap(types: readonly ObjectType[]): Type | undefined {
  const element = unify(types.flatMap(({ attributes }) => Object.values(attributes)));
  return element === undefined ? undefined : mapOf(element);
}

function unifyTuples(types: readonly TupleType[]): Type | undefined {
  const length = types[0]!.elements.length;
  if (types.some(({ elements }) => elements.length !== length)) return tuplesToList(types);
  const unified: Type[] = [];
  for (let i = 0; i < length; i++) {
    const type = unify(types.map(({ elements }) => elements[i]!));
    if (type === undefined) return undefined;
    unified.push(type);
  }
  return tupleOf(unified);
}

function tuplesToList(types: readonly TupleType[]): Type | undefined {
  const element = unify(types.flatMap(({ elements }) => elements));
  return element === undefined ? undefined : listOf(element);
}

/** The first of the types, the more general ones before the others, that every other can be converted to. */
function mostGeneral(types: readonly Type[]): Type | undefined {
  const preferred = types
    .filter(({ kind }) => kind !== "dynamic")
    .sort((a, b) => preference(a) - preference(b));
  return preferred.find((wanted) => types.every((type) => convertible(type, wanted)));
}

/** Every primitive can be a string, every list or set can be of either kind. */
function preference(type: Type): number {
  if (type.kind === "string") return 0;
  if (type.kind === "tuple" || type.kind === "object") return 2.5;
  return type.kind === "set" ? 2 : 1;
}
