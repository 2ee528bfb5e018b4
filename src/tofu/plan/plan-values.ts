/**
 * @module Values of a JSON plan: the known parts, which parts are unknown, and which are sensitive come as three trees of
 * the same shape.
 * Source: https://opentofu.org/docs/internals/json-format/#change-representation
 */
import { BigFloat } from "../../values/big-float.ts";
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "../../values/json/json-text.ts";
import { withMark } from "../../values/marks.ts";
import { dynamicType, mapOf, type Type } from "../../values/type.ts";
import {
  boolValue,
  listValue,
  mapValue,
  nullValue,
  numberValue,
  objectValue,
  setValue,
  stringValue,
  tupleValue,
  unknownValue,
  type Value,
} from "../../values/value.ts";
import { stepType } from "../../values/walk.ts";
import { fieldOf } from "../program/json.ts";

export interface PlanValue {
  readonly known: Json | undefined;
  /** `true` where the value is known only after apply. */
  readonly unknown?: Json | undefined;
  /** `true` where it is sensitive. */
  readonly sensitive?: Json | undefined;
}

/** A type that is not known, of which each object is taken for a map: attributes of other providers' resources. */
export const unknownSchema: Type = mapOf(dynamicType);

/**
 * The value of the type `type` that the trees stand for, sensitive parts marked. What is dynamic, or does not fit the
 * type, has the shape of the JSON.
 */
export function planValue(from: PlanValue, type: Type): Value {
  const value = from.unknown === true ? unknownValue(type) : knownValue(from, type);
  return from.sensitive === true ? withMark(value, "sensitive") : value;
}

function knownValue(from: PlanValue, type: Type): Value {
  const { known } = from;
  if (isJsonArray(known)) return elements(from, known, type);
  if (isJsonObject(known)) return entries(from, known, type);
  if (typeof known === "string") return stringValue(known);
  if (typeof known === "boolean") return boolValue(known);
  if (known instanceof BigFloat) return numberValue(known);
  return nullValue(type);
}

function elements(from: PlanValue, known: readonly Json[], type: Type): Value {
  const parts = known.map((element, index) =>
    planValue(
      { known: element, unknown: item(from.unknown, index), sensitive: item(from.sensitive, index) },
      type === unknownSchema ? unknownSchema : (stepType(type, { index }) ?? dynamicType),
    ),
  );
  if (type.kind === "list") return listValue(type.element, parts);
  return type.kind === "set" ? setValue(type.element, parts) : tupleValue(parts);
}

function entries(from: PlanValue, known: JsonObject, type: Type): Value {
  const names = new Set([
    ...(type.kind === "object" ? Object.keys(type.attributes) : []),
    ...Object.keys(known),
    ...(isJsonObject(from.unknown) ? Object.keys(from.unknown) : []),
  ]);
  const parts = new Map<string, Value>();
  for (const name of names) {
    const part = {
      known: fieldOf(known, name),
      unknown: fieldOf(from.unknown, name),
      sensitive: fieldOf(from.sensitive, name),
    };
    const inner = type === unknownSchema ? unknownSchema : stepType(type, { attribute: name });
    parts.set(name, planValue(part, inner ?? dynamicType));
  }
  return type.kind === "map" ? mapValue(type.element, parts) : objectValue(parts);
}

const item = (json: Json | undefined, index: number): Json | undefined =>
  isJsonArray(json) ? json[index] : undefined;
