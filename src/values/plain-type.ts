/**
 * @module The types that values have, made from the types that constraints have, as few objects as possible.
 */
import { objectOf, type Type, tupleOf, typeEquals } from "./type.ts";
import type { Value } from "./value.ts";

type ObjectType = Extract<Type, { kind: "object" }>;

const plainTypes = new WeakMap<Type, Type>();

/** The type that values have: without the note that some attributes may be left out; where there is none, the type itself. */
export function withoutOptional(type: Type): Type {
  if (!("element" in type || "elements" in type || "attributes" in type)) return type;
  const known = plainTypes.get(type);
  if (known !== undefined) return known;
  const plain = makeWithoutOptional(type);
  plainTypes.set(type, plain);
  return plain;
}

function makeWithoutOptional(type: Type): Type {
  switch (type.kind) {
    case "list":
    case "set":
    case "map": {
      const element = withoutOptional(type.element);
      return element === type.element ? type : { kind: type.kind, element };
    }
    case "tuple": {
      const elements = type.elements.map(withoutOptional);
      return elements.every((element, i) => element === type.elements[i]) ? type : tupleOf(elements);
    }
    case "object": {
      const attributes = Object.entries(type.attributes);
      const plain = attributes.map(([name, inner]) => [name, withoutOptional(inner)] as const);
      const same = type.optional === undefined && plain.every(([, inner], i) => inner === attributes[i]![1]);
      return same ? type : objectOf(Object.fromEntries(plain));
    }
    default:
      return type;
  }
}

/**
 * An object of these attributes, which were made for `wanted`. Thousands of equal objects then share one type, and
 * comparing their types takes no time.
 */
export function objectOfType(wanted: ObjectType, attributes: ReadonlyMap<string, Value>): Value {
  const plain = withoutOptional(wanted) as ObjectType;
  let same = true;
  for (const [name, { type }] of attributes) {
    const expected = plain.attributes[name]!;
    same &&= type === expected || typeEquals(type, expected);
  }
  if (same) return { type: plain, data: attributes };
  const types = Object.fromEntries([...attributes].map(([name, { type }]) => [name, type]));
  return { type: objectOf(types), data: attributes };
}
