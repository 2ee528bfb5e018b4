/**
 * @module `yamlencode` and `yamldecode`.
 */
import { BigFloat } from "../../values/big-float.ts";
import { sortedEntries } from "../../values/set-order.ts";
import { dynamicType, stringType } from "../../values/type.ts";
import { stringValue, type Value } from "../../values/value.ts";
import { isElements, isEntries } from "../../values/walk.ts";
import type { EagerFunction } from "../function-definition.ts";
import { parameter, text } from "./arguments.ts";
import { decodeYaml } from "./yaml-decode.ts";

/** Block style, sorted keys, every string in double quotes or, with several lines, as a literal block. */
function encode(value: Value): string {
  const { data } = value;
  if (isElements(data) ? data.length > 0 : isEntries(data) && data.size > 0)
    return `${block(value, "").trimStart()}\n`;
  const scalar = scalarText(value, "");
  return `${scalar}\n${data === null || typeof data === "boolean" || data instanceof BigFloat ? "...\n" : ""}`;
}

/** A non-empty collection, each entry on lines of its own that start with a line feed and `indent`. */
function block({ data }: Value, indent: string): string {
  if (isElements(data)) {
    return data.map((item) => `\n${indent}- ${nested(item, `${indent}  `, true)}`).join("");
  }
  const entries = isEntries(data) ? sortedEntries(data) : [];
  return entries.map(([key, item]) => `\n${indent}${quoted(key)}:${mapped(item, indent)}`).join("");
}

/** After `- `: the first line of a collection follows directly. */
function nested(item: Value, indent: string, trim: boolean): string {
  if (!isFilled(item)) return scalarText(item, indent);
  const inner = block(item, indent);
  return trim ? inner.trimStart() : inner;
}

/** After `key:`. A sequence is not indented any further. */
function mapped(item: Value, indent: string): string {
  if (!isFilled(item)) return ` ${scalarText(item, `${indent}  `)}`;
  return block(item, isElements(item.data) ? indent : `${indent}  `);
}

function isFilled({ data }: Value): boolean {
  return isElements(data) ? data.length > 0 : isEntries(data) && data.size > 0;
}

function scalarText({ data }: Value, indent: string): string {
  if (isElements(data)) return "[]";
  if (isEntries(data)) return "{}";
  if (typeof data === "string") return canBeLiteral(data) ? literal(data, indent || "  ") : quoted(data);
  return String(data);
}

/** A literal block keeps no space before a line end, and only printable characters. */
function canBeLiteral(value: string): boolean {
  return (
    value.includes("\n") &&
    !/ (?:\n|$)|[^\n\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/u.test(value)
  );
}

function literal(value: string, indent: string): string {
  const hint = /^[\n ]/.test(value) ? "2" : "";
  const chomping = value.endsWith("\n\n") || value === "\n" ? "+" : value.endsWith("\n") ? "" : "-";
  const lines = value.replace(/\n$/, "").split("\n");
  return `|${hint}${chomping}${lines.map((line) => (line === "" ? "\n" : `\n${indent}${line}`)).join("")}`;
}

const escapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "\0": "\\0",
  "\x07": "\\a",
  "\b": "\\b",
  "\t": "\\t",
  "\n": "\\n",
  "\v": "\\v",
  "\f": "\\f",
  "\r": "\\r",
  "\x1b": "\\e",
  "\x85": "\\N",
  "\xa0": "\\_",
  "\u2028": "\\L",
  "\u2029": "\\P",
};

function quoted(value: string): string {
  const body = value.replace(/["\\\u00a0\u2028\u2029\ufeff]|\p{Cc}/gu, (character) => {
    const known = escapes[character];
    if (known !== undefined) return known;
    const hex = character.charCodeAt(0).toString(16).toUpperCase();
    return hex.length <= 2 ? `\\x${hex.padStart(2, "0")}` : `\\u${hex.padStart(4, "0")}`;
  });
  return `"${body}"`;
}

export const yamlFunctions: readonly EagerFunction[] = [
  {
    name: "yamlencode",
    params: [parameter("value", dynamicType, { allowNull: true })],
    returnType: stringType,
    call: ([value]) => stringValue(encode(value!)),
  },
  {
    name: "yamldecode",
    params: [parameter("src", stringType)],
    returnType: dynamicType,
    call: ([source]) => decodeYaml(text(source)),
  },
];
