/**
 * @module What a type constraint shows of the values of hosts and logins.
 */
import type { Expression } from "../../hcl/tree.ts";
import { literalKey } from "./literal.ts";

/** The forms that a value may have. */
export interface Shape {
  readonly mayBeText: boolean;
  /** The attributes that it may have as an object; empty when it is not one. */
  readonly attributes: ReadonlySet<string>;
}

/** The union of shapes; undefined when one of them is not known. */
export function union(shapes: readonly (Shape | undefined)[]): Shape | undefined {
  const known = shapes.filter((shape) => shape !== undefined);
  if (known.length < shapes.length) return undefined;
  return {
    mayBeText: known.some((shape) => shape.mayBeText),
    attributes: new Set(known.flatMap((shape) => [...shape.attributes])),
  };
}

/** The shape of values of a type: `string`, `object({ … })`. */
export function typeShape(type: Expression): Shape | undefined {
  if (type.kind === "variable") {
    return type.name === "string" ? { mayBeText: true, attributes: new Set() } : undefined;
  }
  if (type.kind !== "call") return undefined;
  const [inner] = type.args;
  if (type.name === "optional") return inner && typeShape(inner);
  const names = type.name === "object" ? attributeNames(inner) : undefined;
  return names && { mayBeText: false, attributes: new Set(names.map(([name]) => name)) };
}

/** The shape of the elements of values of a type: `map(…)`, `object({ … })`. */
export function mapTypeShape(type: Expression): Shape | undefined {
  if (type.kind !== "call") return undefined;
  const [inner] = type.args;
  if (type.name === "map") return inner && typeShape(inner);
  if (type.name === "optional") return inner && mapTypeShape(inner);
  const attributes = type.name === "object" ? attributeNames(inner) : undefined;
  return attributes && union(attributes.map(([, attribute]) => typeShape(attribute)));
}

function attributeNames(
  object: Expression | undefined,
): readonly (readonly [string, Expression])[] | undefined {
  if (object?.kind !== "object") return undefined;
  const found = object.items.flatMap(({ key, value }): (readonly [string, Expression])[] => {
    const name = literalKey(key);
    return name === undefined ? [] : [[name, value]];
  });
  return found.length === object.items.length ? found : undefined;
}
