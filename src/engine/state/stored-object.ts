/**
 * @module Converts between values and their form in a state.
 */
import type { InstanceKey } from "../../values/address.ts";
import { isConversionError } from "../../values/convert.ts";
import { fromJson, parseJson, typeFromJson } from "../../values/json/json.ts";
import { type MarkedPath, withMark } from "../../values/marks.ts";
import type { Type } from "../../values/type.ts";
import { isNull, type Value } from "../../values/value.ts";
import { getPath, isWhollyKnown } from "../../values/walk.ts";
import { sensitivePathsText } from "./sensitive-paths.ts";
import type { StateInstance, StateOutput } from "./state.ts";
import { typeText, valueText } from "./value-text.ts";

export interface ObjectToStore {
  readonly key: InstanceKey;
  readonly tainted: boolean;
  readonly schemaVersion: number;
  /** Wholly known, without marks. */
  readonly object: Value;
  /** Sensitive paths; those that it does not have are skipped. */
  readonly marks: readonly MarkedPath[];
  /** That all objects of the resource have; dynamic attributes are dynamic in it. */
  readonly type: Type;
  readonly private: Uint8Array;
  readonly dependencies: readonly string[];
  readonly createBeforeDestroy: boolean;
}

/** @throws RangeError for an object with an unknown or an infinity in it */
export function storedInstance(from: ObjectToStore): StateInstance {
  const { object, marks } = from;
  return {
    key: from.key,
    tainted: from.tainted,
    schemaVersion: from.schemaVersion,
    attributes: valueText(object, from.type),
    sensitivePaths: sensitivePathsText(marks.filter(({ path }) => getPath(object, path) !== undefined)),
    private: from.private,
    dependencies: from.dependencies,
    createBeforeDestroy: from.createBeforeDestroy,
  };
}

/** Undefined for what is not stored: nulls, and what is not known. */
export function storedOutput(value: Value, sensitive: boolean): StateOutput | undefined {
  if (isNull(value) || !isWhollyKnown(value)) return undefined;
  return { value: valueText(value, value.type), type: typeText(value.type), sensitive };
}

/** Undefined when it cannot be understood: it is then found out anew. */
export function outputValue(output: StateOutput): Value | undefined {
  const type = typeFromJson(parseJson(output.type));
  const read = type === undefined ? undefined : fromJson(parseJson(output.value), type);
  if (read === undefined || isConversionError(read)) return undefined;
  return output.sensitive ? withMark(read.value, "sensitive") : read.value;
}

/** The outputs whose values are understood. */
export function outputValues(outputs: ReadonlyMap<string, StateOutput>): ReadonlyMap<string, Value> {
  const values = new Map<string, Value>();
  for (const [name, output] of outputs) {
    const value = outputValue(output);
    if (value !== undefined) values.set(name, value);
  }
  return values;
}
