/**
 * @module `condition ? then : otherwise`
 */
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceRange } from "../diagnostics/source.ts";
import type { Conditional } from "../hcl/tree.ts";
import { BigFloat } from "../values/big-float.ts";
import { convert, isConversionError } from "../values/convert.ts";
import { boolType, type Type, typeEquals } from "../values/type.ts";
import { friendlyName } from "../values/type-text.ts";
import { unify } from "../values/unify.ts";
import { type Data, isUnknown, Unknown, type Value } from "../values/value.ts";
import { anything, type Evaluator, failed, type Outcome, withMarksOf } from "./evaluator.ts";

export function evaluateConditional(expression: Conditional, at: Evaluator): Value {
  return choose(
    at,
    expression,
    { range: expression.condition, value: at.evaluate(expression.condition) },
    at.apart(expression.then),
    at.apart(expression.otherwise),
  );
}

/**
 * One of two results, converted to their common type. Both are evaluated, but only the diagnostics of the
 * chosen one count: `x == null ? 0 : x.size` must not fail.
 */
export function choose(
  at: Evaluator,
  range: SourceRange,
  condition: { readonly range: SourceRange; readonly value: Value },
  then: Outcome,
  otherwise: Outcome,
): Value {
  const type = commonType(then.value, otherwise.value);
  if (type === undefined) {
    const difference = describeDifference(then.value.type, otherwise.value.type);
    return failed(
      at,
      range,
      "Inconsistent conditional result types",
      `The true and false result expressions must have consistent types. ${difference}.`,
    );
  }
  if (condition.value.data === null) {
    const detail = "The condition value is null. Conditions must either be true or false.";
    return failed(at, condition.range, "Null condition", detail);
  }
  if (isUnknown(condition.value)) {
    const open = unknownChoice(type, then.value, otherwise.value);
    return withMarksOf(open, condition.value, then.value, otherwise.value);
  }
  const bool = convert(condition.value, boolType);
  if (isConversionError(bool)) {
    const detail = "The condition expression must be of type bool.";
    return failed(at, condition.range, "Incorrect condition type", detail);
  }
  const chosen = bool.value.data === true ? then : otherwise;
  reportAll(at, chosen.diagnostics);
  const converted = convert(chosen.value, type);
  // The result has the marks of both sides, so that they do not reveal which one was chosen.
  if (!isConversionError(converted)) {
    return withMarksOf(converted.value, bool.value, then.value, otherwise.value);
  }
  const which = chosen === then ? "true" : "false";
  const detail = `The ${which} result value has the wrong type: ${converted.error}.`;
  return failed(at, range, "Inconsistent conditional result types", detail);
}

function reportAll(at: Evaluator, diagnostics: readonly Diagnostic[]): void {
  for (const diagnostic of diagnostics) at.report(diagnostic);
}

/** The result for an unknown condition: its type, and whether it is not null, or the same on both sides. */
function unknownChoice(type: Type, then: Value, otherwise: Value): Value {
  if (isSame(then.data, otherwise.data)) return { type, data: then.data };
  const refined = notNull(then) && notNull(otherwise);
  return { type, data: new Unknown(refined ? { notNull: true } : undefined) };
}

/** Whether both sides are the same, as far as OpenTofu compares them: two nulls, or two equal numbers. */
function isSame(a: Data, b: Data): boolean {
  return a === null ? b === null : a instanceof BigFloat && b instanceof BigFloat && a.equals(b);
}

function notNull({ data }: Value): boolean {
  return data !== null && (!(data instanceof Unknown) || data.refinement?.notNull === true);
}

/** A bare `null` takes the other side's type, and an unknown of no known type leaves the result's type open. */
function commonType(then: Value, otherwise: Value): Type | undefined {
  if (isBareNull(then)) return otherwise.type;
  if (isBareNull(otherwise)) return then.type;
  if (then.type.kind === "dynamic" || otherwise.type.kind === "dynamic") return anything.type;
  return unify([then.type, otherwise.type]);
}

function isBareNull(value: Value): boolean {
  return value.data === null && value.type.kind === "dynamic";
}

/** Where the two types differ, the innermost path that can be named. */
function describeDifference(then: Type, otherwise: Type): string {
  if (then.kind === "object" && otherwise.kind === "object") {
    for (const name of Object.keys(then.attributes).sort()) {
      const other = Object.hasOwn(otherwise.attributes, name) ? otherwise.attributes[name]! : undefined;
      if (other === undefined) {
        return `The 'true' value includes object attribute ${JSON.stringify(name)}, which is absent in the 'false' value`;
      }
      if (unify([then.attributes[name]!, other]) !== undefined) continue;
      const inner = describeDifference(then.attributes[name]!, other);
      return `Type mismatch for object attribute ${JSON.stringify(name)}: ${inner}`;
    }
    const extra = Object.keys(otherwise.attributes).find((name) => !Object.hasOwn(then.attributes, name));
    if (extra !== undefined) {
      return `The 'false' value includes object attribute ${JSON.stringify(extra)}, which is absent in the 'true' value`;
    }
  }
  if (then.kind === "tuple" && otherwise.kind === "tuple") {
    if (then.elements.length !== otherwise.elements.length) {
      return `The 'true' tuple has length ${then.elements.length}, but the 'false' tuple has length ${otherwise.elements.length}`;
    }
    const index = then.elements.findIndex((type, i) => unify([type, otherwise.elements[i]!]) === undefined);
    if (index >= 0) {
      const inner = describeDifference(then.elements[index]!, otherwise.elements[index]!);
      return `Type mismatch for tuple element ${index}: ${inner}`;
    }
  }
  if ("element" in then && then.kind === otherwise.kind && !typeEquals(then.element, otherwise.element)) {
    return `Mismatched ${then.kind} element types: ${describeDifference(then.element, otherwise.element)}`;
  }
  return `The 'true' value is ${friendlyName(then)}, but the 'false' value is ${friendlyName(otherwise)}`;
}
