/**
 * @module `regex` and `regexall`.
 */
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
import { parameter, text } from "./arguments.ts";
import { goRegExp } from "./go-regexp.ts";

/** A string without groups, a tuple of the groups, or an object of the named ones. */
function matchType(pattern: Value | undefined): Type | FunctionError {
  if (pattern === undefined || isUnknown(pattern)) return dynamicType;
  const regExp = goRegExp(text(pattern));
  if (!(regExp instanceof RegExp)) return { ...regExp, argument: 0 };
  // An empty alternative always matches, and shows which groups there are.
  const match = new RegExp(`${regExp.source}|`, regExp.flags).exec("")!;
  if (match.length === 1) return stringType;
  const names = Object.keys(match.groups ?? {});
  if (names.length === 0) return tupleOf(match.slice(1).map(() => stringType));
  if (names.length < match.length - 1) {
    return functionError("invalid regexp pattern: cannot mix both named and unnamed capture groups", 0);
  }
  return objectOf(Object.fromEntries(names.map((name) => [name, stringType])));
}

function matchValue(match: RegExpExecArray): Value {
  const part = (group: string | undefined): Value =>
    group === undefined ? nullValue(stringType) : stringValue(group);
  if (match.length === 1) return stringValue(match[0]);
  if (match.groups === undefined) return tupleValue(match.slice(1).map(part));
  return objectValue(new Map(Object.entries(match.groups).map(([name, group]) => [name, part(group)])));
}

const params = [parameter("pattern", stringType), parameter("string", stringType)];

export const regexFunctions: readonly EagerFunction[] = [
  {
    name: "regex",
    params,
    returnType: ([pattern]) => matchType(pattern),
    call: ([pattern, string]) => {
      const regExp = goRegExp(text(pattern));
      if (!(regExp instanceof RegExp)) return { ...regExp, argument: 0 };
      const match = regExp.exec(text(string));
      return match === null
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
      const regExp = goRegExp(text(pattern), "g");
      if (!(regExp instanceof RegExp)) return { ...regExp, argument: 0 };
      return { type: listOf(type), data: [...text(string).matchAll(regExp)].map(matchValue) };
    },
  },
];
