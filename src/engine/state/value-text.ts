/**
 * @module Values in the JSON of state files, in the order of members in which OpenTofu writes them.
 */
import { BigFloat } from "../../values/big-float.ts";
import { jsonText, typeToJson } from "../../values/json/json.ts";
import { sortedEntries } from "../../values/set-order.ts";
import type { Type } from "../../values/type.ts";
import type { Value } from "../../values/value.ts";
import { isElements, isEntries } from "../../values/walk.ts";

/**
 * JSON text of a value that has the type `type`, or fits it where that is dynamic. Marks are left out.
 *
 * @throws RangeError for an unknown or an infinity: neither can be stored
 */
export function valueText(value: Value, type: Type): string {
  const { data } = value;
  if (type.kind === "dynamic" && value.type.kind !== "dynamic") {
    return `{"value":${valueText(value, value.type)},"type":${typeText(value.type)}}`;
  }
  if (data === null || typeof data === "boolean") return String(data);
  if (typeof data === "string") return JSON.stringify(data);
  if (data instanceof BigFloat) return numberText(data);
  if (isElements(data))
    return `[${data.map((element, i) => valueText(element, elementType(type, i, element))).join(",")}]`;
  if (!isEntries(data)) throw new RangeError("an unknown value cannot be stored");
  const members = sortedEntries(data).map(
    ([name, inner]) => `${JSON.stringify(name)}:${valueText(inner, memberType(type, name, inner))}`,
  );
  return `{${members.join(",")}}`;
}

/** JSON text of a type: `["list","string"]`. */
export const typeText = (type: Type): string => jsonText(typeToJson(type));

function numberText(number: BigFloat): string {
  if (!number.isFinite) throw new RangeError("an infinity cannot be stored");
  return number.toString();
}

function elementType(type: Type, index: number, element: Value): Type {
  if (type.kind === "tuple") return type.elements[index] ?? element.type;
  return "element" in type ? type.element : element.type;
}

function memberType(type: Type, name: string, member: Value): Type {
  if (type.kind === "map") return type.element;
  return type.kind === "object" && Object.hasOwn(type.attributes, name)
    ? type.attributes[name]!
    : member.type;
}
