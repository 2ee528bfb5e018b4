/**
 * @module OpenTofu's type system: what a value may be.
 *
 * Types are immutable plain data, compared with {@link typeEquals}. The set of types is the one of the
 * HCL information model and cty, which OpenTofu and Terraform share.
 */

export type Type =
  | { readonly kind: "string" }
  | { readonly kind: "number" }
  | { readonly kind: "bool" }
  /** `any` in a type constraint: the type is not known, or left to the value. */
  | { readonly kind: "dynamic" }
  | { readonly kind: "list"; readonly element: Type }
  | { readonly kind: "set"; readonly element: Type }
  | { readonly kind: "map"; readonly element: Type }
  | {
      readonly kind: "object";
      readonly attributes: Readonly<Record<string, Type>>;
      /** Names that a conversion may leave out (`optional()` in a type constraint). */
      readonly optional?: ReadonlySet<string>;
    }
  | { readonly kind: "tuple"; readonly elements: readonly Type[] };

export const stringType: Type = { kind: "string" };
export const numberType: Type = { kind: "number" };
export const boolType: Type = { kind: "bool" };
export const dynamicType: Type = { kind: "dynamic" };
export const listOf = (element: Type): Type => ({ kind: "list", element });
export const setOf = (element: Type): Type => ({ kind: "set", element });
export const mapOf = (element: Type): Type => ({ kind: "map", element });
export const tupleOf = (elements: readonly Type[]): Type => ({ kind: "tuple", elements });
export const objectOf = (attributes: Readonly<Record<string, Type>>, optional?: Iterable<string>): Type =>
  optional === undefined
    ? { kind: "object", attributes }
    : { kind: "object", attributes, optional: new Set(optional) };

/** Whether two types are the same, optional attributes included. */
export function typeEquals(a: Type, b: Type): boolean {
  if (a === b) return true;
  if (a.kind !== b.kind) return false;
  switch (a.kind) {
    case "list":
    case "set":
    case "map":
      return typeEquals(a.element, (b as typeof a).element);
    case "tuple": {
      const other = (b as typeof a).elements;
      return a.elements.length === other.length && a.elements.every((type, i) => typeEquals(type, other[i]!));
    }
    case "object":
      return objectTypeEquals(a, b as typeof a);
    default:
      return true;
  }
}

type ObjectType = Extract<Type, { kind: "object" }>;

function objectTypeEquals(a: ObjectType, b: ObjectType): boolean {
  const names = Object.keys(a.attributes);
  if (names.length !== Object.keys(b.attributes).length) return false;
  if ((a.optional?.size ?? 0) !== (b.optional?.size ?? 0)) return false;
  return names.every((name) => {
    const other = Object.hasOwn(b.attributes, name) ? b.attributes[name] : undefined;
    return (
      other !== undefined &&
      typeEquals(a.attributes[name]!, other) &&
      (a.optional?.has(name) ?? false) === (b.optional?.has(name) ?? false)
    );
  });
}
