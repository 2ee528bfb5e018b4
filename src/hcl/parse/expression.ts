/**
 * @module Expressions: operators, operands and what follows them.
 *
 * Source: HCL Native Syntax Specification, "Expressions". Binary operators are parsed by climbing precedences.
 */

import { Kind } from "../scan/tokens.ts";
import type { Binary, BinaryOperator, Conditional, Expression, FunctionCall, Parentheses } from "../tree.ts";
import { parseBraces, parseBrackets } from "./collection.ts";
import {
  accept,
  advance,
  complain,
  enter,
  fail,
  failHere,
  type Parser,
  peek,
  placeholder,
  raise,
  tokenStart,
  tokenText,
} from "./parser.ts";
import { failInBrackets, parseInside, recoverInList } from "./recovery.ts";
import { parseTemplate } from "./template.ts";
import { parseTraversals } from "./traversal.ts";

/** An expression of any form. On an error it fails the parser and gives what it has. */
export function parseExpression(p: Parser): Expression {
  if (!enter(p)) {
    p.depth--;
    return placeholder(p);
  }
  const condition = parseBinary(p, 1);
  const expression = !p.failed && peek(p) === Kind.Question ? finishConditional(p, condition) : condition;
  p.depth--;
  return expression;
}

function finishConditional(p: Parser, condition: Expression): Conditional {
  const questionMark = tokenStart(p);
  let height = p.height;
  advance(p);
  const then = parseExpression(p);
  height = Math.max(height, p.height);
  if (!p.failed && !accept(p, Kind.Colon)) {
    failHere(
      p,
      'Missing ":" in a condition',
      `The "?" on line ${p.file.lineOf(questionMark)} needs both results: CONDITION ? THEN : OTHERWISE.`,
    );
  }
  const otherwise = p.failed ? placeholder(p) : parseExpression(p);
  const { start } = condition;
  raise(p, Math.max(height, p.height), start);
  return { kind: "conditional", condition, then, otherwise, file: p.file, start, end: p.lastEnd };
}

/** Precedence by token kind, 0 for what is no binary operator; higher ones bind tighter. */
const precedences = new Uint8Array(64);
const operators: BinaryOperator[] = [];
for (const [kind, operator, precedence] of [
  [Kind.Or, "||", 1],
  [Kind.And, "&&", 2],
  [Kind.Equal, "==", 3],
  [Kind.NotEqual, "!=", 3],
  [Kind.Less, "<", 4],
  [Kind.LessOrEqual, "<=", 4],
  [Kind.Greater, ">", 4],
  [Kind.GreaterOrEqual, ">=", 4],
  [Kind.Plus, "+", 5],
  [Kind.Minus, "-", 5],
  [Kind.Star, "*", 6],
  [Kind.Slash, "/", 6],
  [Kind.Percent, "%", 6],
] as const) {
  precedences[kind] = precedence;
  operators[kind] = operator;
}

function parseBinary(p: Parser, least: number): Expression {
  let left = parseOperand(p);
  while (!p.failed) {
    const kind = peek(p);
    const precedence = precedences[kind]!;
    if (precedence < least || precedence === 0) break;
    const height = p.height;
    advance(p);
    const right = parseBinary(p, precedence + 1);
    raise(p, Math.max(height, p.height), left.start);
    left = binary(p, operators[kind]!, left, right);
  }
  return left;
}

const binary = (p: Parser, operator: BinaryOperator, left: Expression, right: Expression): Binary => ({
  kind: "binary",
  operator,
  left,
  right,
  file: p.file,
  start: left.start,
  end: p.lastEnd,
});

/** An operand with the unary operators before it and the accesses after it. `-a.b` is `-(a.b)`. */
function parseOperand(p: Parser): Expression {
  let kind = peek(p);
  if (kind !== Kind.Minus && kind !== Kind.Not)
    return parseTraversals(p, parseTerm(p, kind), parseExpression);
  const signs: { readonly operator: "-" | "!"; readonly start: number }[] = [];
  for (; kind === Kind.Minus || kind === Kind.Not; kind = peek(p)) {
    signs.push({ operator: kind === Kind.Minus ? "-" : "!", start: tokenStart(p) });
    advance(p);
  }
  let operand = parseTraversals(p, parseTerm(p, kind), parseExpression);
  for (const { operator, start } of signs.reverse()) {
    raise(p, p.height, start);
    // A tree that is too deep is not built: whoever walks it would run out of stack.
    if (p.failed) break;
    operand = { kind: "unary", operator, operand, file: p.file, start, end: p.lastEnd };
  }
  return operand;
}

function parseTerm(p: Parser, kind: Kind): Expression {
  switch (kind) {
    case Kind.Identifier:
      return parseName(p);
    case Kind.OpenQuote:
    case Kind.OpenHeredoc:
      return parseTemplate(p, parseExpression);
    case Kind.Number:
      return parseNumber(p);
    case Kind.OpenBracket:
      return parseBrackets(p, parseExpression);
    case Kind.OpenBrace:
      return parseBraces(p, parseExpression);
    case Kind.OpenParenthesis:
      return parseParentheses(p);
  }
  failMissing(p, kind);
  p.height = 1;
  return placeholder(p);
}

function failMissing(p: Parser, kind: Kind): void {
  if (kind === Kind.EndOfFile || kind === Kind.Newline) {
    const start = Math.max(0, p.lastEnd - 1);
    fail(p, "Missing expression", "A value is missing here. Write it on the same line.", start, p.lastEnd);
    return;
  }
  failHere(
    p,
    "Invalid expression",
    `A value must begin here, but "${tokenText(p)}" cannot begin one: a text in double quotes, a number, true, false, null, a name, "[", "{" or "(".`,
  );
}

function parseNumber(p: Parser): Expression {
  const start = tokenStart(p);
  const text = tokenText(p);
  advance(p);
  p.height = 1;
  if (!/^\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)) {
    complain(
      p,
      "Invalid number",
      `"${text}" is not a number. Write digits with at most one decimal point and one exponent, like 1.5 or 2e10, and put versions and addresses into quotes.`,
      start,
      p.lastEnd,
    );
  }
  return { kind: "number", text, file: p.file, start, end: p.lastEnd };
}

/** What begins with an identifier: a keyword, a variable or a function call. */
function parseName(p: Parser): Expression {
  const start = tokenStart(p);
  const name = tokenText(p);
  advance(p);
  p.height = 1;
  const next = peek(p);
  if (next === Kind.OpenParenthesis || next === Kind.DoubleColon) return parseCall(p, name, start);
  const range = { file: p.file, start, end: p.lastEnd };
  if (name === "true") return { kind: "keyword", value: true, ...range };
  if (name === "false") return { kind: "keyword", value: false, ...range };
  if (name === "null") return { kind: "keyword", value: null, ...range };
  return { kind: "variable", name, file: p.file, start, end: p.lastEnd };
}

function parseCall(p: Parser, firstName: string, start: number): FunctionCall {
  const name = [firstName];
  while (!p.failed && accept(p, Kind.DoubleColon)) {
    if (peek(p) === Kind.Identifier) {
      name.push(tokenText(p));
      advance(p);
    } else {
      failHere(
        p,
        "Missing function name",
        'After "::" there must be a name, as in provider::aws::arn_parse(…).',
      );
    }
  }
  const nameRange = { file: p.file, start, end: p.lastEnd };
  const call = { kind: "call", name: name.join("::"), nameRange, file: p.file, start } as const;
  if (!p.failed && peek(p) !== Kind.OpenParenthesis) {
    failHere(
      p,
      "Missing arguments",
      `The function ${call.name} must be called, with its arguments in parentheses.`,
    );
  }
  if (p.failed) return { ...call, args: [], expandFinal: false, end: p.lastEnd };
  return { ...call, ...parseArguments(p, call.name, start), end: p.lastEnd };
}

function parseArguments(p: Parser, name: string, start: number): Pick<FunctionCall, "args" | "expandFinal"> {
  const opener = p.at;
  const { newlines } = p;
  p.newlines = false;
  advance(p);
  const args: Expression[] = [];
  let expandFinal = false;
  let height = 0;
  while (!p.failed && peek(p) !== Kind.CloseParenthesis) {
    const first = p.at;
    args.push(parseInside(p, opener, parseExpression));
    height = Math.max(height, p.height);
    expandFinal = !p.failed && accept(p, Kind.Ellipsis);
    const kind = p.failed ? undefined : peek(p);
    if (kind === Kind.CloseParenthesis) break;
    if (kind !== Kind.Comma || expandFinal) {
      const detail = expandFinal
        ? 'The "..." expands the last argument and must be followed by ")".'
        : `The arguments of ${name} are separated by commas and end with ")".`;
      failInBrackets(p, opener, expandFinal ? 'Argument after "..."' : "Missing comma", detail);
      recoverInList(p, first, p.partners[opener]!, false);
    }
    if (!p.failed) accept(p, Kind.Comma);
  }
  if (!p.failed) advance(p);
  p.newlines = newlines;
  raise(p, height, start);
  return { args, expandFinal };
}

function parseParentheses(p: Parser): Parentheses {
  const opener = p.at;
  const start = tokenStart(p);
  const { newlines } = p;
  p.newlines = false;
  advance(p);
  const inner = parseInside(p, opener, parseExpression);
  if (p.failed || peek(p) !== Kind.CloseParenthesis) {
    failInBrackets(
      p,
      opener,
      "Missing closing parenthesis",
      'The expression in parentheses must end with ")" here.',
    );
    if (p.partners[opener] !== -1) recoverInList(p, p.partners[opener]!, p.partners[opener]!, false);
  }
  if (!p.failed) advance(p);
  p.newlines = newlines;
  raise(p, p.height, start);
  return { kind: "parentheses", inner, file: p.file, start, end: p.lastEnd };
}
