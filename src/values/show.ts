/**
 * @module A value as OpenTofu's console prints it: HCL that evaluates to the value again, as far as there is some.
 */
import { BigFloat } from "./big-float.ts";
import { goQuote } from "./go-quote.ts";
import { compareText, sortedEntries } from "./set-order.ts";
import type { Type } from "./type.ts";
import { friendlyName } from "./type-text.ts";
import { isMarked, Unknown, type Value } from "./value.ts";
import { isElements, isEntries } from "./walk.ts";

/** Never shows what is sensitive or ephemeral. Lines after the first are indented by `indent` spaces. */
export function showValue(value: Value, indent = 0): string {
  const { type, data } = value;
  if (data instanceof Unknown) return "(known after apply)";
  if (isMarked(value, "sensitive")) return "(sensitive value)";
  if (isMarked(value, "ephemeral")) return "(ephemeral value)";
  if (data === null) return showNull(type);
  if (typeof data === "string") return showString(data, indent);
  if (typeof data === "boolean" || data instanceof BigFloat) return data.toString();
  const body = isElements(data)
    ? showSequence(data, indent)
    : isEntries(data)
      ? showMapping(data, indent)
      : "";
  return "element" in type ? `to${type.kind}(${body})` : body;
}

function showNull(type: Type): string {
  switch (type.kind) {
    case "dynamic":
      return "null";
    case "string":
    case "number":
    case "bool":
      return `to${type.kind}(null)`;
    case "list":
    case "set":
    case "map":
      return `to${type.kind}(null) /* of ${friendlyName(type.element)} */`;
    default:
      return `null /* ${friendlyName(type)} */`;
  }
}

/** Several lines are a heredoc. */
function showString(text: string, indent: number): string {
  const lines = text.split("\n");
  if (lines.length < 2) return goQuote(text);
  let marker = "EOT";
  while (lines.some((line) => line.trim() === marker)) marker += "_";
  const space = " ".repeat(indent);
  return `${indent > 0 ? "<<-" : "<<"}${[marker, ...lines.map((line) => space + line), space + marker].join("\n")}`;
}

function showSequence(elements: readonly Value[], indent: number): string {
  return enclosed(
    "[",
    elements.map((element) => `${showValue(element, indent + 2)},`),
    "]",
    indent,
  );
}

function showMapping(entries: ReadonlyMap<string, Value>, indent: number): string {
  const lines = sortedEntries(entries).map(([key, value]) => {
    return `${showString(key, indent + 2)} = ${showValue(value, indent + 2)}`;
  });
  return enclosed("{", lines, "}", indent);
}

function enclosed(open: string, lines: readonly string[], close: string, indent: number): string {
  if (lines.length === 0) return open + close;
  const space = " ".repeat(indent);
  return `${open}${lines.map((line) => `\n${space}  ${line}`).join("")}\n${space}${close}`;
}

/** A type as the console's `type` function prints it, structures over several lines. `any` is `dynamic`. */
export function showType(type: Type, indent = ""): string {
  const inner = `${indent}    `;
  const lines = (open: string, items: readonly string[], close: string): string => {
    if (items.length === 0) return open + close;
    return `${open}\n${items.map((item) => `${inner}${item},\n`).join("")}${indent}${close}`;
  };
  switch (type.kind) {
    case "list":
    case "set":
    case "map": {
      const { element } = type;
      const isStructure = element.kind === "object" || element.kind === "tuple";
      if (!isStructure) return `${type.kind}(${showType(element, indent)})`;
      return lines(`${type.kind}(`, [showType(element, inner)], ")");
    }
    case "tuple":
      return lines(
        "tuple([",
        type.elements.map((element) => showType(element, inner)),
        "])",
      );
    case "object": {
      const names = Object.keys(type.attributes).sort(compareText);
      return lines(
        "object({",
        names.map((name) => `${name}: ${showType(type.attributes[name]!, inner)}`),
        "})",
      );
    }
    default:
      return type.kind;
  }
}
