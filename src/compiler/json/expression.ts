/**
 * @module JSON values → expressions.
 *
 * Source: HCL JSON Syntax Specification, "Expressions".
 */

import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { Report } from "../../diagnostics/report.ts";
import { SourceFile, type SourceRange } from "../../diagnostics/source.ts";
import { parseExpression, parseTemplate } from "../../hcl/parse/parse.ts";
import type { Expression, ObjectItem, Template } from "../../hcl/tree.ts";
import { isIdentifier } from "../../values/identifier.ts";
import { buildAt } from "../lower/build.ts";
import type { AttributeForm } from "./forms.ts";
import type { JsonNode, JsonString } from "./tree.ts";

export function jsonExpression(node: JsonNode, form: AttributeForm, report: Report): Expression {
  const range: SourceRange = { file: node.file, start: node.start, end: node.end };
  switch (node.kind) {
    case "keyword":
      return { kind: "keyword", value: node.value, ...range };
    case "number": {
      const literal: Expression = { kind: "number", text: node.text.replace(/^-/, ""), ...range };
      return node.text.startsWith("-")
        ? { kind: "unary", operator: "-", operand: literal, ...range }
        : literal;
    }
    case "string":
      return stringExpression(node, form, report);
    case "array":
      return { kind: "tuple", items: node.items.map((item) => jsonExpression(item, form, report)), ...range };
    case "object":
      return {
        kind: "object",
        items: node.members.map(
          ({ key, value }): ObjectItem => ({
            key: keyExpression(key, form, report),
            value: jsonExpression(value, form, report),
          }),
        ),
        ...range,
      };
  }
}

function stringExpression(node: JsonString, form: AttributeForm, report: Report): Expression {
  const inside = new SourceFile(node.file.name, node.value);
  if (form === "static") return buildAt(node).string(node.value);
  if (form === "reference") {
    const { expression, diagnostics } = parseExpression(inside);
    reportInside(diagnostics, node, inside, report);
    return placeInFile(expression, node, inside);
  }
  const { parts, diagnostics } = parseTemplate(inside);
  reportInside(diagnostics, node, inside, report);
  const { file, start, end } = node;
  const template: Template = { kind: "template", form: "quoted", parts, file, start, end };
  const placed = placeInFile(template, node, inside);
  // "${x}" is x itself, of whatever type.
  const [only, second] = placed.parts;
  return only?.kind === "interpolation" && second === undefined ? only.expression : placed;
}

/** A key that HCL could write bare gives the same tree as there. */
function keyExpression(key: JsonString, form: AttributeForm, report: Report): Expression {
  if (isIdentifier(key.value) && key.value !== "for") return buildAt(key).path(key.value);
  const expression = stringExpression(key, form === "evaluated" ? "evaluated" : "static", report);
  return expression.kind === "variable" ? buildAt(key).parentheses(expression) : expression;
}

/** Moves ranges inside a string to the location of the string in the file. */
function reportInside(
  diagnostics: readonly Diagnostic[],
  node: JsonString,
  inside: SourceFile,
  report: Report,
): void {
  for (const diagnostic of diagnostics) report(placeInFile(diagnostic, node, inside));
}

/** A copy of a tree or diagnostic with every range in `inside` translated to the file that contains the string. */
function placeInFile<T>(value: T, node: JsonString, inside: SourceFile): T {
  const place = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(place);
    if (typeof part !== "object" || part === null || part === node.file) return part;
    const copy: Record<string, unknown> = {};
    for (const [name, member] of Object.entries(part)) copy[name] = place(member);
    if ("file" in part && part.file === inside) {
      const { start, end } = part as SourceRange;
      Object.assign(copy, { file: node.file, start: offsetIn(node, start), end: offsetIn(node, end) });
    }
    return copy;
  };
  return place(value) as T;
}

const offsetIn = (node: JsonString, offset: number): number =>
  node.offsets[Math.min(offset, node.offsets.length - 1)]!;
