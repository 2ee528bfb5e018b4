/**
 * @module Arithmetic functions.
 */
import { BigFloat } from "../../values/big-float.ts";
import { convert, isConversionError } from "../../values/convert.ts";
import { dynamicType, numberType } from "../../values/type.ts";
import { numberValue } from "../../values/value.ts";
import { type EagerFunction, functionError } from "../function-definition.ts";
import { elements, isCollection, number, numberFunction, parameter, text, wholeNumber } from "./arguments.ts";

/** Towards positive (1) or negative (-1) infinity. */
function round(value: BigFloat, direction: 1 | -1): BigFloat {
  if (!value.isFinite || value.isInteger) return value;
  const whole = BigFloat.of(value.toBigInt());
  return value.sign === direction ? whole.add(BigFloat.of(direction)) : whole;
}

const machineInteger = "value must be a whole number, between -9223372036854775808 and 9223372036854775807";

/** The range of whole numbers that OpenTofu's `signum` accepts. */
function isMachineInteger(value: BigFloat): boolean {
  return value.isInteger && BigInt.asIntN(64, value.toBigInt()) === value.toBigInt();
}

function extreme(name: "min" | "max", order: 1 | -1): EagerFunction {
  return {
    name,
    params: [],
    variadic: parameter("numbers", numberType),
    returnType: numberType,
    call: (args) => {
      const [first, ...others] = args.map(number);
      if (first === undefined) return functionError("must pass at least one number");
      return numberValue(
        others.reduce((best, other) => (other.compare(best) === order ? other : best), first),
      );
    },
  };
}

/** Of doubles, as Go calculates these; a result that is no number is an error. */
function floating(
  name: string,
  params: readonly string[],
  calculate: (a: number, b: number) => number,
): EagerFunction {
  return numberFunction(name, params, (a, b) => {
    const result = calculate(a!.toNumber(), b!.toNumber());
    return Number.isNaN(result) ? functionError("the result is not a number") : BigFloat.of(result, 53);
  });
}

const sum: EagerFunction = {
  name: "sum",
  params: [parameter("list", dynamicType)],
  returnType: numberType,
  call: ([list]) => {
    if (!isCollection(list!))
      return functionError(`argument must be list, set, or tuple. Received ${list!.type.kind}`, 0);
    if (elements(list).length === 0) return functionError("cannot sum an empty list", 0);
    let total = BigFloat.zero;
    for (const element of elements(list)) {
      const conversion = convert(element, numberType);
      if (isConversionError(conversion) || conversion.value.data === null) {
        return functionError("argument must be list, set, or tuple of number values", 0);
      }
      total = total.add(number(conversion.value));
    }
    return numberValue(total);
  },
};

const parseint: EagerFunction = {
  name: "parseint",
  params: [parameter("number", dynamicType), parameter("base", numberType)],
  returnType: ([value]) =>
    value === undefined || value.type.kind === "string" || value.type.kind === "dynamic"
      ? numberType
      : functionError(`first argument must be a string, not ${value.type.kind}`, 0),
  call: ([value, baseValue]) => {
    const base = wholeNumber(baseValue, 1);
    if (typeof base === "object" || base < 2 || base > 62) {
      return functionError("base must be a whole number between 2 and 62 inclusive", 1);
    }
    const parsed = parseDigits(text(value), base);
    if (parsed !== undefined) return numberValue(parsed);
    return functionError(`cannot parse ${JSON.stringify(text(value))} as a base ${base} integer`, 0);
  },
};

const digitLetters = "0123456789abcdefghijklmnopqrstuvwxyz";

/** Up to base 36 the case of letters does not matter; above, capitals come after small letters. */
function parseDigits(digits: string, base: number): bigint | undefined {
  const match = /^([+-]?)([0-9A-Za-z]+)$/.exec(digits);
  if (match === null) return undefined;
  const alphabet = base <= 36 ? digitLetters : digitLetters + digitLetters.slice(10).toUpperCase();
  const letters = base <= 36 ? match[2]!.toLowerCase() : match[2]!;
  let result = 0n;
  for (const letter of letters) {
    const digit = alphabet.indexOf(letter);
    if (digit < 0 || digit >= base) return undefined;
    result = result * BigInt(base) + BigInt(digit);
  }
  return match[1] === "-" ? -result : result;
}

export const numberFunctions: readonly EagerFunction[] = [
  numberFunction("abs", ["num"], (value) => (value!.sign < 0 ? value!.neg() : value!)),
  numberFunction("ceil", ["num"], (value) => round(value!, 1)),
  numberFunction("floor", ["num"], (value) => round(value!, -1)),
  numberFunction("signum", ["num"], (value) =>
    isMachineInteger(value!) ? BigFloat.of(value!.sign) : functionError(machineInteger, 0),
  ),
  floating("log", ["num", "base"], (value, base) => Math.log(value) / Math.log(base)),
  floating("pow", ["num", "power"], (value, power) => value ** power),
  extreme("max", 1),
  extreme("min", -1),
  sum,
  parseint,
];
