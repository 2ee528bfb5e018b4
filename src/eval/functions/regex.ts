/**
 * @module `regex` and `regexall`.
 */
import { type GoMatch, goRegExp, isGoRegExp } from "../../regexp/go-regexp.ts";
import { dynamicType, listOf, objectOf, stringType, type Type, tupleOf } from "../../values/type.ts";
import {
  isUnknown,
  nullValue,
  objectValue,
  stringValue,
  tupleValue,
  type Value,
} from "../../values/value.ts";
import { type EagerFunction, type FunctionError, functionError } from "../function-definition.ts";
import { badPattern, parameter, text } from "./arguments.ts";

/** A string without groups, a tuple of the groups, or an object of the named ones. */
function matchType(pattern: Value | undefined): Type | FunctionError {
  if (pattern === undefined || isUnknown(pattern)) return dynamicType;
  const regExp = goRegExp(text(pattern));
  if (!isGoRegExp(regExp)) return badPattern(regExp, 0);
  const names = regExp.groupNames.filter((name) => name !== undefined);
  if (regExp.groupNames.length === 0) return stringType;
  if (names.length === 0) return tupleOf(regExp.groupNames.map(() => stringType));
  if (names.length < regExp.groupNames.length) {
    return functionError("invalid regexp pattern: cannot mix both named and unnamed capture groups", 0);
  }
  return objectOf(Object.fromEntries(names.map((name) => [name, stringType])));
}

function matchValue({ text, groups, positions }: GoMatch): Value {
  const part = (group: string | undefined): Value =>
    group === undefined ? nullValue(stringType) : stringValue(group);
  if (groups.length === 0) return stringValue(text);
  if (positions.size === 0) return tupleValue(groups.map(part));
  // Of several groups of one name the last counts, also when it took no part, as in OpenTofu.
  return objectValue(new Map([...positions].map(([name, all]) => [name, part(groups[all.at(-1)!])])));
}

const params = [parameter("pattern", stringType), parameter("string", stringType)];

export const regexFunctions: readonly EagerFunction[] = [
  {
    name: "regex",
    params,
    returnType: ([pattern]) => matchType(pattern),
    call: ([pattern, string]) => {
      const regExp = goRegExp(text(pattern));
      if (!isGoRegExp(regExp)) return badPattern(regExp, 0);
      const [match] = regExp.matches(text(string));
      return match === undefined
        ? functionError("pattern did not match any part of the given string")
        : matchValue(match);
    },
  },
  {
    name: "regexall",
    params,
    returnType: ([pattern]) => {
      const type = matchType(pattern);
      return "error" in type ? type : listOf(type);
    },
    call: ([pattern, string]) => {
      const type = matchType(pattern);
      if ("error" in type) return type;
      const regExp = goRegExp(text(pattern));
      if (!isGoRegExp(regExp)) return badPattern(regExp, 0);
      return { type: listOf(type), data: Array.from(regExp.matches(text(string)), matchValue) };
    },
  },
];
