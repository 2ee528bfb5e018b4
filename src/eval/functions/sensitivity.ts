/**
 * @module The marks that keep values from being shown or stored.
 */
import { unmark, withMark } from "../../values/marks.ts";
import { boolType, dynamicType, type Type } from "../../values/type.ts";
import { boolValue, isMarked, isUnknown, nullValue, unknownValue, type Value } from "../../values/value.ts";
import type { EagerFunction } from "../function-definition.ts";
import { parameter } from "./arguments.ts";

const asItIs = [parameter("value", dynamicType, { allowNull: true, allowUnknown: true, allowMarked: true })];
const sameType = ([value]: readonly Value[]): Type => value?.type ?? dynamicType;

function withoutSensitive(value: Value): Value {
  const others = [...(value.marks ?? [])].filter((mark) => mark !== "sensitive");
  return others.reduce(withMark, unmark(value));
}

export const sensitivityFunctions: readonly EagerFunction[] = [
  {
    name: "sensitive",
    params: asItIs,
    returnType: sameType,
    call: ([value]) => withMark(value!, "sensitive"),
  },
  {
    name: "nonsensitive",
    params: asItIs,
    returnType: sameType,
    call: ([value]) => withoutSensitive(value!),
  },
  {
    name: "issensitive",
    params: asItIs,
    returnType: boolType,
    // What is unknown may still turn out to be sensitive, or be no more.
    call: ([value]) =>
      isUnknown(value!) ? unknownValue(boolType) : boolValue(isMarked(value!, "sensitive")),
  },
  {
    name: "ephemeralasnull",
    params: asItIs,
    returnType: sameType,
    call: ([value]) => (isMarked(value!, "ephemeral") ? nullValue(value!.type) : value!),
  },
];
