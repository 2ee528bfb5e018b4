/**
 * @module Arithmetic, comparison and logic.
 */
import { hasErrors } from "../diagnostics/diagnostic.ts";
import type { Binary, BinaryOperator, Expression, Unary } from "../hcl/tree.ts";
import { BigFloat } from "../values/big-float.ts";
import { convert, isConversionError } from "../values/convert.ts";
import { withMarks } from "../values/marks.ts";
import { boolType, numberType, type Type } from "../values/type.ts";
import { boolValue, isUnknown, numberValue, unknownValue, type Value } from "../values/value.ts";
import { equalValues } from "./equality.ts";
import { type Evaluator, failed, type Outcome, withMarksOf } from "./evaluator.ts";

export function evaluateUnary(expression: Unary, at: Evaluator): Value {
  const type = expression.operator === "!" ? boolType : numberType;
  const operand = operandOf(expression.operand, at.evaluate(expression.operand), type, "unary", at);
  if (operand === undefined) return unknownValue(type);
  if (operand.data === null) return nullOperand(expression, type, at);
  if (isUnknown(operand)) return operand;
  const { data } = operand;
  return withMarksOf(data instanceof BigFloat ? numberValue(data.neg()) : boolValue(data !== true), operand);
}

export function evaluateBinary(expression: Binary, at: Evaluator): Value {
  const { operator } = expression;
  if (operator === "==" || operator === "!=") return evaluateEquality(expression, at);
  if (operator === "&&" || operator === "||") return evaluateLogic(expression, operator, at);
  const result = operator in arithmetic ? numberType : boolType;
  const left = operandOf(expression.left, at.evaluate(expression.left), numberType, "left", at);
  const right = operandOf(expression.right, at.evaluate(expression.right), numberType, "right", at);
  if (left === undefined || right === undefined) return unknownValue(result);
  if (left.data === null || right.data === null) return nullOperand(expression, result, at);
  const value = calculation(operator, left, right);
  if (typeof value === "object") return withMarksOf(value, left, right);
  failed(at, expression, "Operation failed", `Error during operation: ${value}.`);
  return unknownValue(result);
}

/**
 * Both sides are always evaluated, and either one may decide: then the other one's problems do not matter, nor that it
 * is unknown. An unknown left side hides the problems of a right side that has no value. OpenTofu takes a null beside `&&` for false; beside `||` it is an error unless the other side is true.
 */
function evaluateLogic(expression: Binary, operator: "&&" | "||", at: Evaluator): Value {
  const outcomes = { left: at.apart(expression.left), right: at.apart(expression.right) };
  const left = operandOf(expression.left, outcomes.left.value, boolType, "left", at);
  const right = operandOf(expression.right, outcomes.right.value, boolType, "right", at);
  if (left === undefined || right === undefined) return unknownValue(boolType);
  const decides = ({ data }: Value): boolean =>
    operator === "||" ? data === true : data === false || data === null;
  if (decides(left) || decides(right)) {
    reportAll(decides(left) ? outcomes.left : outcomes.right, at);
    return withMarksOf(boolValue(operator === "||"), left, right);
  }
  reportAll(outcomes.left, at);
  // As HCL has it: beside something that is not known yet it is not known whether the right side will count.
  const mayNotCount = isUnknown(left) && isUnknown(right) && !hasErrors(outcomes.left.diagnostics);
  if (!mayNotCount) reportAll(outcomes.right, at);
  if (left.data === null || right.data === null) return nullOperand(expression, boolType, at);
  const unknown = isUnknown(left) || isUnknown(right);
  return withMarksOf(
    unknown ? unknownValue(boolType, { notNull: true }) : boolValue(operator === "&&"),
    left,
    right,
  );
}

function reportAll({ diagnostics }: Outcome, at: Evaluator): void {
  for (const diagnostic of diagnostics) at.report(diagnostic);
}

function evaluateEquality(expression: Binary, at: Evaluator): Value {
  const left = at.evaluate(expression.left);
  const right = at.evaluate(expression.right);
  const { equal, marks } = equalValues(left, right);
  if (equal === undefined) return withMarks(unknownValue(boolType, { notNull: true }), marks);
  return withMarks(boolValue(expression.operator === "==" ? equal : !equal), marks);
}

/** The operand as one of `type`; undefined when it cannot be, which has been reported then. */
function operandOf(
  expression: Expression,
  value: Value,
  type: Type,
  side: "left" | "right" | "unary",
  at: Evaluator,
): Value | undefined {
  const conversion = convert(value, type);
  if (!isConversionError(conversion)) return conversion.value;
  const detail = `Unsuitable value for ${side} operand: ${conversion.error}.`;
  failed(at, expression, "Invalid operand", detail);
  return undefined;
}

function nullOperand(expression: Expression, type: Type, at: Evaluator): Value {
  failed(at, expression, "Operation failed", `Error during operation: argument must not be null.`);
  return unknownValue(type);
}

/** The result, or what is wrong. */
function calculation(operator: BinaryOperator, left: Value, right: Value): Value | string {
  const result = operator in arithmetic ? numberType : boolType;
  if (!(left.data instanceof BigFloat && right.data instanceof BigFloat)) {
    return unknownValue(result, { notNull: true });
  }
  if (operator in comparison) {
    return boolValue(comparison[operator as keyof typeof comparison](left.data.compare(right.data)));
  }
  const { calculate, impossible } = arithmetic[operator as keyof typeof arithmetic];
  try {
    return numberValue(calculate(left.data, right.data));
  } catch (error) {
    if (error instanceof RangeError) return impossible;
    throw error;
  }
}

const comparison = {
  "<": (order: number) => order < 0,
  ">": (order: number) => order > 0,
  "<=": (order: number) => order <= 0,
  ">=": (order: number) => order >= 0,
} as const;

interface Arithmetic {
  readonly calculate: (left: BigFloat, right: BigFloat) => BigFloat;
  /** What is said when the result is not a number. */
  readonly impossible: string;
}

const arithmetic = {
  "+": {
    calculate: (left, right) => left.add(right),
    impossible: "can't compute sum of opposing infinities",
  },
  "-": { calculate: (left, right) => left.sub(right), impossible: "can't subtract infinity from itself" },
  "*": { calculate: (left, right) => left.mul(right), impossible: "can't multiply zero by infinity" },
  "/": {
    calculate: (left, right) => left.div(right),
    impossible: "can't divide zero by zero or infinity by infinity",
  },
  "%": { calculate: (left, right) => left.mod(right), impossible: "can't use modulo with zero and infinity" },
} as const satisfies Record<string, Arithmetic>;
