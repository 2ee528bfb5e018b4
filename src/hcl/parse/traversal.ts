/**
 * @module What follows an operand: `.name`, `.0`, `[key]`, `.*` and `[*]`.
 *
 * Source: HCL Native Syntax Specification, "Index Operator", "Attribute Access Operator" and "Splat Operators".
 */

import { Kind } from "../scan/tokens.ts";
import type { Expression, NumberLiteral, Splat, SplatStep } from "../tree.ts";
import {
  accept,
  advance,
  complain,
  enter,
  failHere,
  type ParseExpression,
  type Parser,
  peek,
  raise,
  tokenStart,
  tokenText,
} from "./parser.ts";
import { failInBrackets, parseInside, recoverInList } from "./recovery.ts";

/** Parses accesses as long as there are some, around what was parsed before. */
export function parseTraversals(
  p: Parser,
  operand: Expression,
  parseExpression: ParseExpression,
): Expression {
  let expression = operand;
  while (!p.failed) {
    const kind = peek(p);
    if (kind !== Kind.Dot && kind !== Kind.OpenBracket) break;
    const height = p.height;
    const step = parseStep(p, parseExpression, false);
    if (step === undefined) break;
    raise(p, Math.max(height, p.height), expression.start);
    expression = apply(p, expression, step);
  }
  return expression;
}

function apply(p: Parser, source: Expression, step: SplatStep): Expression {
  const range = { file: p.file, start: source.start, end: p.lastEnd };
  switch (step.kind) {
    case "attribute": {
      const nameRange = { file: p.file, start: step.end - step.name.length, end: step.end };
      return { kind: "attributeAccess", object: source, name: step.name, nameRange, ...range };
    }
    case "index":
      return { kind: "index", collection: source, key: step.key, legacy: step.legacy, ...range };
    case "splat":
      return { kind: "splat", form: step.form, source, steps: step.steps, ...range };
  }
}

/**
 * One access. A full splat takes all accesses after it as its own steps, splats among them; an attribute splat
 * takes names and legacy indexes.
 */
function parseStep(
  p: Parser,
  parseExpression: ParseExpression,
  inAttributeSplat: boolean,
): SplatStep | undefined {
  const start = tokenStart(p);
  p.height = 0;
  if (peek(p) === Kind.OpenBracket) return parseIndex(p, parseExpression, start);
  advance(p);
  const kind = peek(p);
  if (kind === Kind.Identifier) {
    const name = tokenText(p);
    advance(p);
    return { kind: "attribute", name, file: p.file, start, end: p.lastEnd };
  }
  if (kind === Kind.Number) return parseLegacyIndex(p, start);
  if (kind === Kind.Star && !inAttributeSplat) {
    advance(p);
    return finishSplat(p, "attribute", parseExpression, start);
  }
  failHere(
    p,
    kind === Kind.Star ? "Nested attribute splat" : "Missing attribute name",
    kind === Kind.Star
      ? 'After ".*" only names may follow. Use the full splat for the outer list: [*].'
      : 'After a dot there must be the name of an attribute. For a key that is no identifier write brackets and quotes, as in object["my key"].',
  );
  return undefined;
}

function parseLegacyIndex(p: Parser, start: number): SplatStep {
  const numberStart = tokenStart(p);
  const text = tokenText(p);
  advance(p);
  if (text.includes(".")) {
    const indexes = text.split(".").map((index) => `[${index}]`);
    complain(
      p,
      "Invalid index",
      `A dot may be followed by one index only. Write the indexes in brackets: ${indexes.join("")}.`,
      numberStart,
      p.lastEnd,
    );
  }
  const key: NumberLiteral = { kind: "number", text, file: p.file, start: numberStart, end: p.lastEnd };
  return { kind: "index", key, legacy: true, file: p.file, start, end: p.lastEnd };
}

function parseIndex(p: Parser, parseExpression: ParseExpression, start: number): SplatStep | undefined {
  const opener = p.at;
  advance(p);
  if (peek(p) === Kind.Star) {
    advance(p);
    if (!accept(p, Kind.CloseBracket)) {
      failInBrackets(
        p,
        opener,
        "Invalid splat",
        'The "*" of a splat must stand alone between the brackets: [*].',
      );
      return undefined;
    }
    return finishSplat(p, "full", parseExpression, start);
  }
  const { newlines } = p;
  p.newlines = false;
  const key = parseInside(p, opener, parseExpression);
  if (p.failed || peek(p) !== Kind.CloseBracket) {
    failInBrackets(p, opener, "Missing closing bracket", 'The index must end with "]" here.');
    if (p.partners[opener] !== -1) recoverInList(p, p.partners[opener]!, p.partners[opener]!, false);
  }
  if (!p.failed) advance(p);
  p.newlines = newlines;
  return { kind: "index", key, legacy: false, file: p.file, start, end: p.lastEnd };
}

function finishSplat(
  p: Parser,
  form: Splat["form"],
  parseExpression: ParseExpression,
  start: number,
): SplatStep {
  const steps: SplatStep[] = [];
  let height = 0;
  if (!enter(p)) return { kind: "splat", form, steps, file: p.file, start, end: p.lastEnd };
  while (!p.failed) {
    const kind = peek(p);
    if (kind !== Kind.Dot && (kind !== Kind.OpenBracket || form === "attribute")) break;
    const step = parseStep(p, parseExpression, form === "attribute");
    if (step !== undefined) steps.push(step);
    height = Math.max(height, p.height);
  }
  p.depth--;
  raise(p, height, start);
  return { kind: "splat", form, steps, file: p.file, start, end: p.lastEnd };
}
