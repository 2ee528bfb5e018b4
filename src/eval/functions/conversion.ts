/**
 * @module `tostring` and its like.
 */
import { convert, isConversionError } from "../../values/convert.ts";
import { withMarks } from "../../values/marks.ts";
import {
  boolType,
  dynamicType,
  listOf,
  mapOf,
  numberType,
  setOf,
  stringType,
  type Type,
} from "../../values/type.ts";
import { friendlyConstraint, friendlyName } from "../../values/type-text.ts";
import { isUnknown, nullValue, unknownValue, type Value } from "../../values/value.ts";
import { type EagerFunction, functionError, isFunctionError } from "../function-definition.ts";
import { parameter } from "./arguments.ts";

function conversion(name: string, type: Type): EagerFunction {
  const call: EagerFunction["call"] = ([value]) => {
    const given = value ?? nullValue(dynamicType);
    const converted = convert(given, type);
    if (!isConversionError(converted)) {
      // A conversion for another function knows how many elements there will be; this one waits for them.
      return isUnknown(given) && !isUnknown(converted.value)
        ? withMarks(unknownValue(converted.value.type, { notNull: true }), given.marks ?? [])
        : converted.value;
    }
    return functionError(explain(given, type), 0);
  };
  return {
    name,
    params: [parameter("v", dynamicType, { allowNull: true, allowUnknown: true, allowMarked: true })],
    returnType: (args) => {
      const result = call(args);
      return isFunctionError(result) ? result : result.type;
    },
    call,
  };
}

function explain(value: Value, type: Type): string {
  const hidden = isUnknown(value) || (value.marks?.size ?? 0) > 0;
  if (value.type.kind === "string" && (type.kind === "number" || type.kind === "bool")) {
    const given = hidden ? "this sensitive string" : JSON.stringify(value.data);
    return type.kind === "number"
      ? `cannot convert ${given} to number; given string must be a decimal representation of a number`
      : `cannot convert ${given} to bool; only the strings "true" or "false" are allowed`;
  }
  return `cannot convert ${friendlyName(value.type)} to ${friendlyConstraint(type)}`.replace(
    "any type",
    "any single type",
  );
}

export const conversionFunctions: readonly EagerFunction[] = [
  conversion("tostring", stringType),
  conversion("tonumber", numberType),
  conversion("tobool", boolType),
  conversion("tolist", listOf(dynamicType)),
  conversion("toset", setOf(dynamicType)),
  conversion("tomap", mapOf(dynamicType)),
];
