/**
 * @module Expressions → values, with HCL's semantics.
 *
 * Every problem becomes a diagnostic with a range, and evaluation goes on with an unknown value in its place, so that
 * all problems of an expression are found. Source: HCL Native Syntax Specification, "Expressions".
 */
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceFile } from "../diagnostics/source.ts";
import type { Expression, TemplatePart } from "../hcl/tree.ts";
import { BigFloat } from "../values/big-float.ts";
import { dynamicType } from "../values/type.ts";
import { boolValue, nullValue, numberValue, tupleValue, type Value } from "../values/value.ts";
import { evaluateCall } from "./call.ts";
import { evaluateConditional } from "./conditional.ts";
import { type Evaluator, failed, mostItems, type Outcome } from "./evaluator.ts";
import { evaluateFor } from "./for-expression.ts";
import { evaluateObject } from "./object-expression.ts";
import { evaluateBinary, evaluateUnary } from "./operators.ts";
import type { Scope } from "./scope.ts";
import { evaluateSplat } from "./splat.ts";
import { evaluateTemplate } from "./template.ts";
import { tooLarge } from "./too-large.ts";
import { evaluateTraversal } from "./traversal.ts";

/** The value of an expression, unknown where there were errors, and its diagnostics. */
export function evaluate(expression: Expression, scope: Scope): Outcome {
  return outcomeOf(expression, scope, false, { items: 0 });
}

/** What is collected while an expression is evaluated. */
interface Tally {
  items: number;
}

function outcomeOf(expression: Expression, scope: Scope, secret: boolean, tally: Tally): Outcome {
  const diagnostics: Diagnostic[] = [];
  const evaluator = evaluatorFor(scope, diagnostics, secret, tally);
  try {
    return { value: evaluator.evaluate(expression), diagnostics };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const value = failed(
      evaluator,
      expression,
      "Value too large",
      `This expression fails: ${tooLarge(error)}.`,
    );
    return { value, diagnostics };
  }
}

/** The value of a template file: a string, or the value of its only interpolation. */
export function evaluateTemplateFile(
  file: SourceFile,
  parts: readonly TemplatePart[],
  scope: Scope,
): Outcome {
  return evaluate({ kind: "template", form: "quoted", parts, file, start: 0, end: file.text.length }, scope);
}

function evaluatorFor(scope: Scope, diagnostics: Diagnostic[], secret: boolean, tally: Tally): Evaluator {
  const evaluator: Evaluator = {
    scope,
    secret,
    evaluate: (expression) => evaluated(expression, evaluator),
    report: (diagnostic) => {
      // A `for` may meet the same problem with each of thousands of elements.
      if (!diagnostics.some((other) => isSame(other, diagnostic))) diagnostics.push(diagnostic);
    },
    within: (inner, hides) => evaluatorFor(inner, diagnostics, secret || hides, tally),
    count: (items) => {
      tally.items += items;
      return tally.items <= mostItems;
    },
    apart: (expression) => outcomeOf(expression, scope, secret, tally),
  };
  return evaluator;
}

function isSame(a: Diagnostic, b: Diagnostic): boolean {
  return (
    a.summary === b.summary &&
    a.detail === b.detail &&
    a.range?.start === b.range?.start &&
    a.range?.end === b.range?.end &&
    a.range?.file === b.range?.file
  );
}

function evaluated(expression: Expression, at: Evaluator): Value {
  switch (expression.kind) {
    case "number": {
      const number = BigFloat.parse(expression.text);
      if (number !== undefined) return numberValue(number);
      return failed(
        at,
        expression,
        "Invalid number",
        `${expression.text} is too large or too small a number.`,
      );
    }
    case "keyword":
      return expression.value === null ? nullValue(dynamicType) : boolValue(expression.value);
    case "template":
      return evaluateTemplate(expression.parts, at);
    case "variable":
    case "attributeAccess":
    case "index":
      return evaluateTraversal(expression, at);
    case "splat":
      return evaluateSplat(expression, at);
    case "call":
      return evaluateCall(expression, at);
    case "unary":
      return evaluateUnary(expression, at);
    case "binary":
      return evaluateBinary(expression, at);
    case "conditional":
      return evaluateConditional(expression, at);
    case "parentheses":
      return at.evaluate(expression.inner);
    case "meant":
      return at.evaluate(expression.written);
    case "tuple":
      return tupleValue(expression.items.map(at.evaluate));
    case "object":
      return evaluateObject(expression, at);
    case "for":
      return evaluateFor(expression, at);
  }
}
