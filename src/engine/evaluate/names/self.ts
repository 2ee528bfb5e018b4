/**
 * @module What `each` and `count` are for the instance that is evaluated.
 */
import { dynamicType, numberType, stringType } from "../../../values/type.ts";
import { unknownValue, type Value } from "../../../values/value.ts";

export interface Self {
  readonly each?: { readonly key: Value; readonly value: Value };
  /** What `count.index` is: a number. */
  readonly count?: Value;
  /** What `self` is, in postconditions: the object. */
  readonly object?: Value;
}

/** Stands for instances that are not known. */
export const anySelf: Self = {
  each: { key: unknownValue(stringType), value: unknownValue(dynamicType) },
  count: unknownValue(numberType),
};
