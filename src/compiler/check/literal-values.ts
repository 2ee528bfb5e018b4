/**
 * @module Literals that a setting cannot take. Values that are computed or converted are left
 * to the evaluation.
 */

import { errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { Report } from "../../diagnostics/report.ts";
import type { Expression } from "../../hcl/tree.ts";
import { isNullLiteral, literalString } from "../hosts/literal.ts";

/** What a literal is, for messages: `null`, `a string`; undefined for other expressions. */
export function literalKind(expression: Expression): string | undefined {
  switch (expression.kind) {
    case "parentheses":
      return literalKind(expression.inner);
    case "number":
      return "a number";
    case "unary":
      return expression.operator === "-" && literalKind(expression.operand) === "a number"
        ? "a number"
        : undefined;
    case "keyword":
      return isNullLiteral(expression) ? "null" : "true or false";
    case "tuple":
      return "a list";
    case "object":
      return "an object";
    default:
      return literalString(expression) === undefined ? undefined : "a string";
  }
}

/** Reports a literal that a setting does not take, judged by its text if it has one. */
function checkLiteral(
  expression: Expression | undefined,
  fits: (text: string) => boolean,
  [summary, detail]: readonly [summary: string, detail: string],
  report: Report,
): void {
  if (expression === undefined || literalKind(expression) === undefined) return;
  const text = literalText(expression);
  if (text === undefined || !fits(text)) report(errorDiagnostic(summary, detail, { range: expression }));
}

/** The text of a string, a number, true or false. */
function literalText(expression: Expression): string | undefined {
  if (expression.kind === "parentheses") return literalText(expression.inner);
  if (expression.kind === "number") return expression.text;
  if (expression.kind === "unary") return `-${literalText(expression.operand)}`;
  if (expression.kind === "keyword") return expression.value === null ? undefined : String(expression.value);
  return literalString(expression);
}

/** `true` or `false` without quotes: they are not converted. */
export function checkFlag(name: string, expression: Expression | undefined, report: Report): void {
  const kind = expression && literalKind(expression);
  if (expression === undefined || kind === undefined || kind === "true or false") return;
  report(errorDiagnostic(`"${name}" is not true or false`, `It is ${kind}.`, { range: expression }));
}

const isCount = (least: number) => (text: string) =>
  text !== "" && Number.isInteger(Number(text)) && Number(text) >= least;

/** A whole number, at least 1. */
export const checkAttempts = (expression: Expression | undefined, report: Report): void =>
  checkLiteral(
    expression,
    isCount(1),
    ["This is not a number of attempts", "It must be a whole number, at least 1."],
    report,
  );

/** `"30s"`, `"5m"`, `"1h"`, or a number of seconds. */
export const checkDuration = (expression: Expression | undefined, report: Report): void =>
  checkLiteral(
    expression,
    (text) => /^\d+(?:\.\d+)?(?:ms|s|m|h|)$/.test(text),
    ["This is not a time", 'It must be a time such as "500ms", "30s", "5m" or "1h".'],
    report,
  );

/** A number of hosts, or a share of them. */
export const checkAmount = (expression: Expression | undefined, least: number, report: Report): void =>
  checkLiteral(
    expression,
    (text) => isCount(least)(text) || isShare(text),
    [
      "This cannot be how a circuit goes through its hosts",
      'It must be a number of hosts, or a share of them such as "25%".',
    ],
    report,
  );

const isShare = (text: string): boolean => {
  const share = /^(\d+(?:\.\d+)?)%$/.exec(text);
  return share !== null && Number(share[1]) <= 100;
};
