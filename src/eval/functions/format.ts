/**
 * @module `format` and `formatlist`: Go's verbs, as far as cty has them.
 */
import { BigFloat } from "../../values/big-float.ts";
import { convert, isConversionError } from "../../values/convert.ts";
import { toJson } from "../../values/json/json.ts";
import { jsonText } from "../../values/json/json-text.ts";
import { isOpenSet } from "../../values/set.ts";
import { boolType, dynamicType, listOf, numberType, stringType, type Type } from "../../values/type.ts";
import { isUnknown, listValue, stringValue, unknownValue, type Value } from "../../values/value.ts";
import { isWhollyKnown } from "../../values/walk.ts";
import { type EagerFunction, type FunctionError, functionError } from "../function-definition.ts";
import { elements, isCollection, parameter, text } from "./arguments.ts";
import { characterCount, firstCharacters } from "./characters.ts";
import { decimalText, exponentText, shortestText } from "./number-format.ts";

/** One verb of a format: `%[2]-08.3f`. */
interface Verb {
  readonly letter: string;
  readonly flags: string;
  readonly width: number | undefined;
  readonly precision: number | undefined;
  /** As written, and where: for messages. */
  readonly raw: string;
  readonly offset: number;
}

const verbPattern = /^%([ #+0-]*)([1-9]\d*)?(?:\.(\d*))?(?:\[(\d+)\])?(?:([A-Za-z%])|$)?/;

/** More characters than anybody writes, and few enough to hold. */
const widest = 1_000_000;

/** The text, or what is wrong with the format or an argument. */
export function formatText(format: string, args: readonly Value[]): string | FunctionError {
  let result = "";
  let next = 0;
  let used = 0;
  for (let at = 0; at < format.length; ) {
    const percent = format.indexOf("%", at);
    if (percent === -1) {
      result += format.slice(at);
      break;
    }
    result += format.slice(at, percent);
    const match = verbPattern.exec(format.slice(percent))!;
    const [raw, flags = "", width, precision, position, letter] = match;
    const offset = Buffer.byteLength(format.slice(0, percent));
    if (letter === undefined) return malformed(format, percent, raw);
    at = percent + raw.length;
    if (letter === "%") {
      result += "%";
      continue;
    }
    const verb: Verb = { letter, flags, width: numeric(width), precision: numeric(precision), raw, offset };
    if (!"vtbdoxXeEfgGsq".includes(letter)) {
      return functionError(
        `unsupported format verb '${letter}' in ${JSON.stringify(raw)} at offset ${offset}`,
      );
    }
    if (Math.max(verb.width ?? 0, verb.precision ?? 0) > widest) {
      const problem = `width and precision must not exceed ${widest}`;
      return functionError(`unsupported format ${JSON.stringify(raw)} at offset ${offset}: ${problem}`);
    }
    if (position !== undefined) next = Number(position) - 1;
    const argument = args[next];
    if (argument === undefined) {
      const need = `need index ${next + 1} but have ${args.length} total`;
      return functionError(`not enough arguments for ${JSON.stringify(raw)} at ${offset}: ${need}`);
    }
    next++;
    used = Math.max(used, next);
    const formatted = formatOne(verb, argument);
    if (typeof formatted !== "string") return formatted;
    result += formatted;
  }
  if (used >= args.length) return result;
  const only = used === 0 ? "no verbs in format string" : `only ${used} used by format string`;
  return functionError(`too many arguments; ${only}`, used + 1);
}

const numeric = (digits: string | undefined): number | undefined =>
  digits === undefined ? undefined : Number(digits);

function malformed(format: string, percent: number, raw: string): FunctionError {
  const offset = Buffer.byteLength(format.slice(0, percent + raw.length));
  const character = format.slice(percent + raw.length, percent + raw.length + 1);
  if (character === "") return functionError(`invalid format string starting at offset ${offset}`);
  return functionError(`unrecognized format character '${character}' at offset ${offset}`);
}

function formatOne(verb: Verb, argument: Value): string | FunctionError {
  if (verb.letter === "v") return formatNatural(verb, argument);
  if (argument.data === null) return unsuitable(verb, "null value cannot be formatted");
  const type =
    verb.letter === "t" ? boolType : verb.letter === "s" || verb.letter === "q" ? stringType : numberType;
  const conversion = convert(argument, type);
  if (isConversionError(conversion)) return unsuitable(verb, conversion.error);
  const { data } = conversion.value;
  if (data instanceof BigFloat) return formatNumber(verb, data);
  if (typeof data === "boolean") return String(data);
  return padded(
    verb,
    verb.letter === "q" ? jsonText(cut(verb, String(data)), { escapeHtml: true }) : cut(verb, String(data)),
  );
}

function unsuitable({ raw, offset }: Verb, problem: string): FunctionError {
  return functionError(`unsupported value for ${JSON.stringify(raw)} at ${offset}: ${problem}`);
}

/** `%v`: a string as it is, a number as short as possible, everything else and `%#v` as JSON. */
function formatNatural(verb: Verb, argument: Value): string | FunctionError {
  const { data } = argument;
  if (!verb.flags.includes("#")) {
    if (typeof data === "string") return padded(verb, cut(verb, data));
    if (data instanceof BigFloat) return padded(verb, signed(verb, data, shortestText(data)));
    if (typeof data === "boolean") return padded(verb, String(data));
  }
  try {
    return padded(verb, jsonText(toJson(argument, argument.type), { escapeHtml: true }));
  } catch (error) {
    if (error instanceof RangeError) return unsuitable(verb, error.message);
    throw error;
  }
}

function formatNumber(verb: Verb, number: BigFloat): string | FunctionError {
  const { letter, precision } = verb;
  const radix = { b: 2, d: 10, o: 8, x: 16, X: 16 }[letter];
  if (radix === undefined) return padded(verb, signed(verb, number, floatText(letter, number, precision)));
  if (!number.isInteger) return unsuitable(verb, "an integer is required");
  const whole = number.toBigInt();
  const digits = (whole < 0n ? -whole : whole).toString(radix).padStart(precision ?? 0, "0");
  const prefix = verb.flags.includes("#") ? ({ b: "0b", o: "0", x: "0x", X: "0X" }[letter] ?? "") : "";
  const cased = letter === "X" ? digits.toUpperCase() : digits;
  return padded(verb, signed(verb, number, `${whole < 0n ? "-" : ""}${prefix}${cased}`));
}

function floatText(letter: string, number: BigFloat, precision: number | undefined): string {
  if (!number.isFinite) return number.toString();
  if (letter === "f") return decimalText(number, precision ?? 6);
  const lower = letter.toLowerCase();
  const made = lower === "e" ? exponentText(number, precision ?? 6) : shortestText(number, precision);
  return letter === lower ? made : made.toUpperCase();
}

function signed({ flags }: Verb, number: BigFloat, formatted: string): string {
  if (number.sign < 0 || formatted.startsWith("+")) return formatted;
  return flags.includes("+") ? `+${formatted}` : flags.includes(" ") ? ` ${formatted}` : formatted;
}

/** A precision is the number of characters that a string may have. */
function cut({ precision }: Verb, value: string): string {
  return precision === undefined ? value : firstCharacters(value, precision);
}

function padded({ flags, width }: Verb, value: string): string {
  const missing = (width ?? 0) - characterCount(value);
  if (missing <= 0) return value;
  if (flags.includes("-")) return value + " ".repeat(missing);
  if (!flags.includes("0")) return " ".repeat(missing) + value;
  const sign = /^[+ -]/.exec(value)?.[0] ?? "";
  return sign + "0".repeat(missing) + value.slice(sign.length);
}

const format: EagerFunction = {
  name: "format",
  params: [parameter("format", stringType)],
  variadic: parameter("args", dynamicType, { allowNull: true }),
  returnType: stringType,
  call: ([pattern, ...args]) => {
    const formatted = formatText(text(pattern), args);
    return typeof formatted === "string" ? stringValue(formatted) : formatted;
  },
};

const formatlist: EagerFunction = {
  name: "formatlist",
  params: [parameter("format", stringType)],
  variadic: parameter("args", dynamicType, { allowNull: true, allowUnknown: true }),
  returnType: (): Type => listOf(stringType),
  call: ([pattern, ...args]) => {
    // How many there will be is not known.
    const isOpen = (value: Value): boolean =>
      isOpenSet(value) || (isUnknown(value) && (isCollection(value) || value.type.kind === "dynamic"));
    if (args.some(isOpen)) return unknownValue(listOf(stringType), { notNull: true });
    const lists = args.map((value) =>
      isCollection(value) && !isUnknown(value) && value.data !== null ? elements(value) : undefined,
    );
    const first = lists.findIndex((list) => list !== undefined);
    const count = first === -1 ? 1 : lists[first]!.length;
    const odd = lists.findIndex((list) => list !== undefined && list.length !== count);
    if (odd >= 0) {
      const sizes = `argument ${odd + 1} has length ${lists[odd]!.length}, which is inconsistent with argument ${first + 1} of length ${count}`;
      return functionError(sizes, odd + 1);
    }
    const made: Value[] = [];
    for (let i = 0; i < count; i++) {
      const row = args.map((value, position) => lists[position]?.[i] ?? value);
      if (!row.every(isWhollyKnown)) {
        made.push(unknownValue(stringType, { notNull: true }));
        continue;
      }
      const formatted = formatText(text(pattern), row);
      if (typeof formatted === "object") {
        return first === -1
          ? formatted
          : { ...formatted, error: `error on format iteration ${i}: ${formatted.error}` };
      }
      made.push(stringValue(formatted));
    }
    return listValue(stringType, made);
  },
};

export const formatFunctions: readonly EagerFunction[] = [format, formatlist];
