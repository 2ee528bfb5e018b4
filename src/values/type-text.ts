/**
 * @module Types as people read them: in a message, and as a type expression.
 */
import { isIdentifier } from "./identifier.ts";
import { compareText } from "./set-order.ts";
import type { Type } from "./type.ts";

/** The name for a sentence, as OpenTofu's messages have it: `list of string`, `object`. `any` is `dynamic`. */
export function friendlyName(type: Type): string {
  return named(type, "dynamic");
}

/** {@link friendlyName} of a type that something must have, for "… required": `any` is `any type`, or `any single type` inside. */
export function friendlyConstraint(type: Type): string {
  return type.kind === "dynamic" ? "any type" : named(type, "any single type");
}

function named(type: Type, dynamic: string): string {
  switch (type.kind) {
    case "list":
    case "set":
    case "map":
      return `${type.kind} of ${named(type.element, dynamic)}`;
    case "dynamic":
      return dynamic;
    default:
      return type.kind;
  }
}

/** The type as an expression in a `type` argument would give it: `object({a=string,b=optional(number)})`. */
export function typeText(type: Type): string {
  switch (type.kind) {
    case "list":
    case "set":
    case "map":
      return `${type.kind}(${typeText(type.element)})`;
    case "dynamic":
      return "any";
    case "tuple":
      return `tuple([${type.elements.map(typeText).join(",")}])`;
    case "object": {
      const attributes = Object.keys(type.attributes)
        .sort(compareText)
        .map((name) => {
          const text = typeText(type.attributes[name]!);
          const key = isIdentifier(name) ? name : JSON.stringify(name);
          return `${key}=${type.optional?.has(name) ? `optional(${text})` : text}`;
        });
      return `object({${attributes.join(",")}})`;
    }
    default:
      return type.kind;
  }
}
