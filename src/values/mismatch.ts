/**
 * @module Why values of one type cannot be converted to another (cty's `convert.MismatchMessage`).
 */
import { compareText } from "./set-order.ts";
import { type Type, typeEquals } from "./type.ts";
import { friendlyConstraint, friendlyName } from "./type-text.ts";
import { convertible } from "./unify.ts";

type ObjectType = Extract<Type, { kind: "object" }>;

/** Why nothing of the type `got` can be converted to `wanted`, as OpenTofu says it: `string required, but have tuple`. */
export function mismatch(got: Type, wanted: Type): string {
  if (got.kind === "object" && wanted.kind === "object") return objectMismatch(got, wanted);
  const isCollection = wanted.kind === "list" || wanted.kind === "set" || wanted.kind === "map";
  if (!isCollection) return otherwise(got, wanted);
  const structural = wanted.kind === "map" ? got.kind === "object" : got.kind === "tuple";
  if (structural) {
    if (wanted.element.kind === "dynamic") return `all ${wanted.kind} elements must have the same type`;
    return structuralMismatch(got, wanted.element);
  }
  if (got.kind === wanted.kind || (got.kind !== "map" && wanted.kind !== "map" && "element" in got)) {
    return `incorrect ${wanted.kind} element type: ${mismatch(got.element, wanted.element)}`;
  }
  return otherwise(got, wanted);
}

function otherwise(got: Type, wanted: Type): string {
  return `${friendlyConstraint(wanted)} required, but have ${friendlyName(got)}`;
}

function structuralMismatch(got: Type, element: Type): string {
  if (got.kind === "tuple") {
    const index = got.elements.findIndex((type) => !convertible(type, element));
    return `element ${index}: ${mismatch(got.elements[index]!, element)}`;
  }
  const attributes = got.kind === "object" ? got.attributes : {};
  const name = Object.keys(attributes)
    .sort(compareText)
    .find((key) => !convertible(attributes[key]!, element))!;
  return `element ${JSON.stringify(name)}: ${mismatch(attributes[name]!, element)}`;
}

function objectMismatch(got: ObjectType, wanted: ObjectType): string {
  const missing: string[] = [];
  for (const name of Object.keys(wanted.attributes).sort(compareText)) {
    const type = wanted.attributes[name]!;
    if (!Object.hasOwn(got.attributes, name)) {
      if (!wanted.optional?.has(name)) missing.push(JSON.stringify(name));
    } else if (!typeEquals(got.attributes[name]!, type) && !convertible(got.attributes[name]!, type)) {
      return `attribute ${JSON.stringify(name)}: ${mismatch(got.attributes[name]!, type)}`;
    }
  }
  const [first, second] = missing;
  if (missing.length === 1) return `attribute ${first} is required`;
  if (missing.length === 2) return `attributes ${first} and ${second} are required`;
  return `attributes ${missing.slice(0, -1).join(", ")}, and ${missing.at(-1)} are required`;
}
