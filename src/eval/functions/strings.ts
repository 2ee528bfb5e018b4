/**
 * @module Text: case, trimming, splitting, joining, replacing.
 */
import { leadingWhiteSpace, trimEnd } from "../../hcl/scan/characters.ts";
import { expandReplacement, type GoRegExp, goRegExp, isGoRegExp } from "../../regexp/go-regexp.ts";
import { boolType, listOf, numberType, stringType } from "../../values/type.ts";
import { boolValue, listValue, stringValue, Unknown, unknownValue } from "../../values/value.ts";
import { type EagerFunction, functionError } from "../function-definition.ts";
import { badPattern, elements, parameter, stringFunction, text, wholeNumber } from "./arguments.ts";
import { characters } from "./characters.ts";
import { lower, title, upper } from "./letter-case.ts";

function trimSet(value: string, cutset: string): string {
  const cut = new Set(cutset);
  const points = [...value];
  let start = 0;
  let end = points.length;
  while (start < end && cut.has(points[start]!)) start++;
  while (end > start && cut.has(points[end - 1]!)) end--;
  return points.slice(start, end).join("");
}

function chomp(value: string): string {
  let end = value.length;
  while (end > 0 && (value[end - 1] === "\n" || value[end - 1] === "\r")) end--;
  return value.slice(0, end);
}

function indent(spaces: number, value: string): string {
  return value.replaceAll("\n", `\n${" ".repeat(spaces)}`);
}

/** An empty part is found before every character and at the end. */
function replacePlain(value: string, part: string, replacement: string): string {
  if (part !== "") return value.split(part).join(replacement);
  return replacement + [...value].map((character) => character + replacement).join("");
}

function replaceMatches(value: string, pattern: GoRegExp, replacement: string): string {
  const parts: string[] = [];
  let end = 0;
  for (const match of pattern.matches(value)) {
    parts.push(value.slice(end, match.start), expandReplacement(replacement, match));
    end = match.end;
  }
  return parts.join("") + value.slice(end);
}

const test = (
  name: string,
  param: string,
  holds: (value: string, part: string) => boolean,
): EagerFunction => ({
  name,
  params: [parameter("str", stringType), parameter(param, stringType)],
  returnType: boolType,
  call: ([value, part]) => boolValue(holds(text(value), text(part))),
});

/** May be decided by what is known of how an unknown string begins. */
const startswith: EagerFunction = {
  name: "startswith",
  params: [parameter("str", stringType, { allowUnknown: true }), parameter("prefix", stringType)],
  returnType: boolType,
  call: ([value, prefixValue]) => {
    const prefix = text(prefixValue);
    if (!(value!.data instanceof Unknown)) return boolValue(text(value).startsWith(prefix));
    const known = value!.data.refinement?.prefix ?? "";
    if (known.startsWith(prefix)) return boolValue(true);
    return prefix.startsWith(known) ? unknownValue(boolType, { notNull: true }) : boolValue(false);
  },
};

export const stringFunctions: readonly EagerFunction[] = [
  stringFunction("upper", ["str"], upper),
  stringFunction("lower", ["str"], lower),
  stringFunction("title", ["str"], title),
  stringFunction("trimspace", ["str"], (value) => trimEnd(value.slice(leadingWhiteSpace(value)))),
  stringFunction("trim", ["str", "cutset"], trimSet),
  stringFunction("trimprefix", ["str", "prefix"], (value, prefix) =>
    value.startsWith(prefix) ? value.slice(prefix.length) : value,
  ),
  stringFunction("trimsuffix", ["str", "suffix"], (value, suffix) =>
    value.endsWith(suffix) ? value.slice(0, value.length - suffix.length) : value,
  ),
  stringFunction("chomp", ["str"], chomp),
  stringFunction("strrev", ["str"], (value) => characters(value).reverse().join("")),
  startswith,
  test("endswith", "suffix", (value, suffix) => value.endsWith(suffix)),
  test("strcontains", "substr", (value, part) => value.includes(part)),
  {
    name: "substr",
    params: [parameter("str", stringType), parameter("offset", numberType), parameter("length", numberType)],
    returnType: stringType,
    call: ([value, offsetValue, lengthValue]) => {
      const offset = wholeNumber(offsetValue, 1);
      const length = wholeNumber(lengthValue, 2);
      if (typeof offset === "object") return offset;
      if (typeof length === "object") return length;
      const all = characters(text(value));
      const start = offset < 0 ? Math.max(0, all.length + offset) : offset;
      // OpenTofu gives the rest for no characters counted from the end.
      const toEnd = length < 0 || (length === 0 && offset < 0);
      return stringValue(all.slice(start, toEnd ? undefined : start + length).join(""));
    },
  },
  {
    name: "indent",
    params: [parameter("spaces", numberType), parameter("str", stringType)],
    returnType: stringType,
    call: ([spacesValue, value]) => {
      const spaces = wholeNumber(spacesValue, 0, 0, 10_000);
      return typeof spaces === "object" ? spaces : stringValue(indent(spaces, text(value)));
    },
  },
  {
    name: "split",
    params: [parameter("separator", stringType), parameter("str", stringType)],
    returnType: listOf(stringType),
    call: ([separator, value]) => {
      const parts = text(separator) === "" ? [...text(value)] : text(value).split(text(separator));
      return listValue(stringType, parts.map(stringValue));
    },
  },
  {
    name: "join",
    params: [parameter("separator", stringType)],
    variadic: parameter("lists", listOf(stringType)),
    returnType: stringType,
    call: ([separator, ...lists]) => {
      if (lists.length === 0) return functionError("at least one list is required");
      const parts: string[] = [];
      for (const [position, list] of lists.entries()) {
        for (const [index, element] of elements(list).entries()) {
          if (element.data === null) {
            return functionError(`element ${index} is null; cannot concatenate null values`, position + 1);
          }
          parts.push(text(element));
        }
      }
      return stringValue(parts.join(text(separator)));
    },
  },
  {
    name: "replace",
    params: ["str", "substr", "replace"].map((name) => parameter(name, stringType)),
    returnType: stringType,
    call: (args) => {
      const [value = "", part = "", replacement = ""] = args.map(text);
      if (part.length < 2 || !part.startsWith("/") || !part.endsWith("/")) {
        return stringValue(replacePlain(value, part, replacement));
      }
      const pattern = goRegExp(part.slice(1, -1));
      return isGoRegExp(pattern)
        ? stringValue(replaceMatches(value, pattern, replacement))
        : badPattern(pattern, 1);
    },
  },
];
