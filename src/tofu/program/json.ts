/**
 * @module Access to the engines' JSON. Members that are missing or of another type than expected count as absent: newer
 * engines may add to their formats.
 */
import { BigFloat } from "../../values/big-float.ts";
import {
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  parseJsonParts,
  type WantedJson,
} from "../../values/json/json-text.ts";

export type { Json, JsonObject };

const none: JsonObject = {};

export const objectAt = (json: Json | undefined, name: string): JsonObject => {
  const found = fieldOf(json, name);
  return isJsonObject(found) ? found : none;
};

export const arrayAt = (json: Json | undefined, name: string): readonly Json[] => {
  const found = fieldOf(json, name);
  return isJsonArray(found) ? found : [];
};

export const textAt = (json: Json | undefined, name: string): string | undefined => {
  const found = fieldOf(json, name);
  return typeof found === "string" ? found : undefined;
};

export const numberAt = (json: Json | undefined, name: string): number | undefined => {
  const found = fieldOf(json, name);
  return found instanceof BigFloat ? found.toNumber() : undefined;
};

/** Undefined for what is not there; null is a value. */
export function fieldOf(json: Json | undefined, name: string): Json | undefined {
  return isJsonObject(json) && Object.hasOwn(json, name) ? json[name] : undefined;
}

/** A key of an instance: of `for_each` a text, of `count` a number. */
export const keyAt = (json: Json | undefined, name: string): string | number | undefined =>
  textAt(json, name) ?? numberAt(json, name);

/** The JSON in what a command printed: warnings about the engine's own configuration may come before it. */
export function jsonPart(output: string): string {
  const start = /^\{/m.exec(output)?.index ?? 0;
  return output.slice(start);
}

/**
 * {@link jsonPart}, read; undefined where there is none.
 *
 * @param wanted what of it; unless given all
 */
export function parsedPart(output: string, wanted: WantedJson = true): Json | undefined {
  try {
    return parseJsonParts(jsonPart(output), wanted);
  } catch {
    return undefined;
  }
}
