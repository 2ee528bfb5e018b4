/**
 * @module What the function families share: declaring parameters, and reading arguments that have been converted and
 * are known and not null already.
 */

import type { PatternProblem } from "../../regexp/go-regexp.ts";
import { BigFloat } from "../../values/big-float.ts";
import { dynamicType, numberType, stringType, type Type } from "../../values/type.ts";
import { numberValue, stringValue, type Value } from "../../values/value.ts";
import { isElements, isEntries } from "../../values/walk.ts";
import {
  type EagerFunction,
  type FunctionError,
  functionError,
  type Parameter,
} from "../function-definition.ts";

export type Flags = Pick<Parameter, "allowNull" | "allowUnknown" | "allowMarked">;

export const parameter = (name: string, type: Type, flags: Flags = {}): Parameter => ({
  name,
  type,
  ...flags,
});

/** What is inside a container may be unknown or marked, and stays so. */
export const inside: Flags = { allowUnknown: "inside", allowMarked: "inside" };

/** A parameter of any type for a container, whose elements are taken as they are. */
export const container = (name: string): Parameter => parameter(name, dynamicType, inside);

/** An argument that is no regular expression. */
export const badPattern = ({ problem }: PatternProblem, argument: number): FunctionError =>
  functionError(`invalid regexp pattern: ${problem}`, argument);

export const text = (value: Value | undefined): string => String(value?.data);

/** An argument of the type number. */
export function number(value: Value | undefined): BigFloat {
  return value?.data instanceof BigFloat ? value.data : BigFloat.zero;
}

/** The elements of a list, set or tuple; of anything else none. */
export function elements(value: Value | undefined): readonly Value[] {
  return value !== undefined && isElements(value.data) ? value.data : [];
}

/** The entries of a map or object; of anything else none. */
export function entries(value: Value | undefined): ReadonlyMap<string, Value> {
  return value !== undefined && isEntries(value.data) ? value.data : new Map();
}

/** A list or tuple. A set counts only where its order does not matter. */
export const isSequence = ({ type }: Value): boolean => type.kind === "list" || type.kind === "tuple";

/** Whether the type has elements. */
export const isCollection = ({ type }: Value): boolean =>
  isSequence({ type, data: null }) || type.kind === "set";

/** A whole number from `least` to `most`, or why the argument is none. */
export function wholeNumber(
  value: Value | undefined,
  argument: number,
  least = Number.MIN_SAFE_INTEGER,
  most = Number.MAX_SAFE_INTEGER,
): number | FunctionError {
  const given = number(value);
  if (!given.isInteger) return { error: "a whole number is required", argument };
  const whole = given.toNumber();
  if (whole < least) return { error: `must be greater than or equal to ${least}`, argument };
  return whole > most ? { error: `must be less than or equal to ${most}`, argument } : whole;
}

/** A function from strings to a string. */
export function stringFunction(
  name: string,
  params: readonly string[],
  call: (...args: string[]) => string | FunctionError,
): EagerFunction {
  return {
    name,
    params: params.map((param) => parameter(param, stringType)),
    returnType: stringType,
    call: (args) => {
      const result = call(...args.map(text));
      return typeof result === "string" ? stringValue(result) : result;
    },
  };
}

/** A function from numbers to a number. */
export function numberFunction(
  name: string,
  params: readonly string[],
  call: (...args: BigFloat[]) => BigFloat | FunctionError,
): EagerFunction {
  return {
    name,
    params: params.map((param) => parameter(param, numberType)),
    returnType: numberType,
    call: (args) => {
      const result = call(...args.map(number));
      return result instanceof BigFloat ? { type: numberType, data: result } : result;
    },
  };
}

/** The type of all elements of a list or set; dynamic for a tuple. */
export const elementTypeOf = (value: Value | undefined): Type =>
  value !== undefined && "element" in value.type ? value.type.element : dynamicType;

/** Go's machine integers have 64 bits, which shows when one length is divided by another. */
export const size = (count: number): Value => numberValue(BigFloat.of(count, 64));
