/**
 * @module What only the console has.
 */

import { showType } from "../../values/show.ts";
import { dynamicType, stringType } from "../../values/type.ts";
import { stringValue } from "../../values/value.ts";
import type { EagerFunction } from "../function-definition.ts";
import { parameter } from "./arguments.ts";

export const consoleFunctions: readonly EagerFunction[] = [
  {
    name: "type",
    params: [parameter("value", dynamicType, { allowNull: true, allowUnknown: true, allowMarked: true })],
    returnType: stringType,
    call: ([value]) => stringValue(showType(value!.type)),
  },
];
