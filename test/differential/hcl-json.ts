/**
 * @module Our tree in the JSON form that `hcl2json` made common: what is constant as a value, everything else as its
 * source text in `${…}`, blocks nested by their labels.
 */
import type { Body, Expression, TemplatePart } from "../../src/hcl/tree.ts";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const source = ({ file, start, end }: Expression): string => file.text.slice(start, end);

export function bodyToJson(body: Body): { [key: string]: Json } {
  const result: { [key: string]: Json } = {};
  for (const item of body.items) {
    if (item.kind === "attribute") {
      result[item.name] = toJson(item.expression);
      continue;
    }
    let place = result;
    const path = [item.type, ...item.labels.map((label) => label.value)];
    for (const key of path.slice(0, -1)) {
      place[key] ??= {};
      place = place[key] as { [key: string]: Json };
    }
    const last = path[path.length - 1]!;
    place[last] ??= [];
    (place[last] as Json[]).push(bodyToJson(item.body));
  }
  return result;
}

function toJson(expression: Expression): Json {
  switch (expression.kind) {
    case "number":
      return Number(expression.text);
    case "keyword":
      return expression.value;
    case "template": {
      const [first, second] = expression.parts;
      // A lone interpolation is what it holds.
      if (first?.kind === "interpolation" && second === undefined) return toJson(first.expression);
      return expression.parts.map(partText).join("");
    }
    case "tuple":
      return expression.items.map(toJson);
    case "object":
      return Object.fromEntries(expression.items.map(({ key, value }) => [keyText(key), toJson(value)]));
    case "unary":
      if (expression.operator === "-" && expression.operand.kind === "number")
        return -Number(expression.operand.text);
      if (expression.operator === "!" && expression.operand.kind === "keyword")
        return !expression.operand.value;
      return `\${${source(expression)}}`;
    default:
      return `\${${source(expression)}}`;
  }
}

const keyText = (key: Expression): string =>
  key.kind === "variable" ? key.name : key.kind === "conditional" ? `\${${source(key)}}` : constantText(key);

function partText(part: TemplatePart): string {
  switch (part.kind) {
    case "literal":
      return part.value;
    case "interpolation":
      return constantText(part.expression);
    case "if": {
      const otherwise = part.otherwise?.map(partText).join("") ?? "";
      return conditionText(part.condition, part.then.map(partText).join(""), otherwise);
    }
    case "for": {
      const names = part.keyName === undefined ? part.valueName : `${part.keyName}, ${part.valueName}`;
      return `%{for ${names} in ${source(part.collection)}}${part.body.map(partText).join("")}%{endfor}`;
    }
  }
}

/** Where a text is wanted, constants stand themselves, and a condition is written as a directive. */
function constantText(expression: Expression): string {
  switch (expression.kind) {
    case "template":
      return expression.parts.map(partText).join("");
    case "number":
      return /^\d+$/.test(expression.text)
        ? String(BigInt(expression.text))
        : String(Number(expression.text));
    case "keyword":
      return String(expression.value);
    case "conditional": {
      const otherwise = constantText(expression.otherwise);
      return conditionText(expression.condition, constantText(expression.then), otherwise);
    }
    default:
      return `\${${source(expression)}}`;
  }
}

const conditionText = (condition: Expression, then: string, otherwise: string): string =>
  `%{if ${source(condition)}}${then}${otherwise === "" ? "" : `%{else}${otherwise}`}%{endif}`;
