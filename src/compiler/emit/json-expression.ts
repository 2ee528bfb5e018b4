/**
 * @module Expressions in OpenTofu's JSON syntax: plain JSON where that means the same, otherwise a template in a string.
 *
 * Source: HCL JSON Syntax Specification, "Expressions".
 */
import { printExpression } from "../../hcl/print/print.ts";
import type { Expression, ObjectExpression, Template, TemplatePart } from "../../hcl/tree.ts";
import { literalKey, literalString } from "../hosts/literal.ts";

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** An expression that is evaluated: every string of the result is a template. */
export function expressionJson(expression: Expression): Json {
  switch (expression.kind) {
    case "keyword":
      return expression.value;
    case "number":
      return numberJson(expression.text) ?? interpolation(expression);
    case "template":
      return templateText(expression);
    case "tuple":
      return expression.items.map(expressionJson);
    case "object":
      return objectJson(expression, escapeSequences, expressionJson);
    case "meant":
      return expressionJson(expression.written);
    default:
      return interpolation(expression);
  }
}

/** An expression that is read before anything is evaluated: strings are not templates. */
export function staticJson(expression: Expression): Json {
  const text = literalString(expression);
  if (text !== undefined) return text;
  if (expression.kind === "tuple") return expression.items.map(staticJson);
  if (expression.kind === "object") return objectJson(expression, (key) => key, staticJson);
  return expressionJson(expression);
}

/** An expression whose text is wanted: a reference, a type. A list of them is a list of texts. */
export function sourceJson(expression: Expression): Json {
  if (expression.kind === "tuple") return expression.items.map(sourceJson);
  if (expression.kind === "object") return objectJson(expression, (key) => key, sourceJson);
  return literalString(expression) ?? printExpression(expression);
}

function objectJson(
  { items }: ObjectExpression,
  literal: (key: string) => string,
  value: (expression: Expression) => Json,
): Json {
  return Object.fromEntries(
    items.map((item) => {
      const key = literalKey(item.key);
      return [key === undefined ? interpolation(item.key) : literal(key), value(item.value)];
    }),
  );
}

const interpolation = (expression: Expression): string => `\${${printExpression(expression)}}`;

/** A number that JSON and JavaScript write alike; undefined for `0755`, `1E-3` and numbers that would lose digits. */
function numberJson(text: string): number | undefined {
  const number = Number(text);
  return String(number) === text && Number.isFinite(number) ? number : undefined;
}

const escapeSequences = (text: string): string => text.replace(/[$%](?=\{)/g, "$&$&");

/** The template without quotes, as written in JSON. What `~` strips has been stripped already. */
function templateText({ parts }: Template): string {
  return joinParts(parts);
}

function joinParts(parts: readonly TemplatePart[]): string {
  return parts
    .map((part, index) => {
      if (part.kind !== "literal") return sequence(part);
      const text = escapeSequences(part.value);
      const next = parts[index + 1];
      if (next === undefined) return text;
      // A `$` directly before `${` would escape it.
      return next.kind === "interpolation" ? text.replace(/\$$/, '${"$$"}') : text.replace(/%$/, '${"%"}');
    })
    .join("");
}

function sequence(part: Exclude<TemplatePart, { kind: "literal" }>): string {
  switch (part.kind) {
    case "interpolation":
      return interpolation(part.expression);
    case "if": {
      const otherwise = part.otherwise === undefined ? "" : `%{ else }${joinParts(part.otherwise)}`;
      return `%{ if ${printExpression(part.condition)} }${joinParts(part.then)}${otherwise}%{ endif }`;
    }
    case "for": {
      const names = part.keyName === undefined ? part.valueName : `${part.keyName}, ${part.valueName}`;
      return `%{ for ${names} in ${printExpression(part.collection)} }${joinParts(part.body)}%{ endfor }`;
    }
  }
}
