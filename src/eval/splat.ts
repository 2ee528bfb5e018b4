/**
 * @module `source[*].name` and `source.*.name`: the same steps on each element.
 */
import type { SourceRange } from "../diagnostics/source.ts";
import type { Splat, SplatStep } from "../hcl/tree.ts";
import { listOf, type Type, tupleOf, typeEquals } from "../values/type.ts";
import { isUnknown, tupleValue, unknownValue, type Value } from "../values/value.ts";
import { isElements } from "../values/walk.ts";
import { attributeOf, elementOf } from "./access.ts";
import { anything, type Evaluator, failed, withMarksOf } from "./evaluator.ts";

/** Null counts as no elements, anything but a list, tuple or set as a single one. The result for a list or set is a list. */
export function evaluateSplat(expression: Splat, at: Evaluator): Value {
  const apply = prepared(expression.steps, at);
  return splat(at.evaluate(expression.source), apply, expression, at);
}

type Apply = (value: Value, at: Evaluator) => Value;

/** The steps as a function. Their keys are evaluated once, not for each element. */
function prepared(steps: readonly SplatStep[], at: Evaluator): Apply {
  const functions = steps.map((step): Apply => {
    if (step.kind === "attribute") return (value, where) => attributeOf(value, step.name, step, where);
    if (step.kind === "index") {
      const key = at.evaluate(step.key);
      return (value, where) => elementOf(value, key, step.key, where);
    }
    const inner = prepared(step.steps, at);
    return (value, where) => splat(value, inner, step, where);
  });
  return (value, where) => functions.reduce((inner, apply) => apply(inner, where), value);
}

function splat(source: Value, steps: Apply, range: SourceRange, at: Evaluator): Value {
  const { type, data } = source;
  const inner = at.within(at.scope, (source.marks?.size ?? 0) > 0);
  const apply = (value: Value): Value => steps(value, inner);
  const isSequence = type.kind === "tuple" || type.kind === "list" || type.kind === "set";
  if (data === null) {
    if (!isSequence) return withMarksOf(tupleValue([]), source);
    const detail = "Splat expressions (with the * symbol) cannot be applied to null sequences.";
    return failed(at, range, "Splat of null value", detail);
  }
  if (type.kind === "dynamic") return withMarksOf(anything, source);
  if (!isSequence) {
    const value = apply(source);
    // Whether it will be null, and so the number of elements, is not known yet.
    return withMarksOf(isUnknown(source) ? anything : tupleValue([value]), source);
  }
  if (!isElements(data)) return withMarksOf(unknownResult(type, apply), source);
  return withMarksOf(knownResult(type, data.map(apply), apply), source);
}

type SequenceType = Extract<Type, { kind: "list" | "set" | "tuple" }>;

function knownResult(type: SequenceType, values: readonly Value[], apply: (value: Value) => Value): Value {
  if (type.kind === "tuple") return tupleValue(values);
  const element = values[0]?.type ?? apply(unknownValue(type.element)).type;
  // What is of any type may differ from element to element.
  if (!values.every((value) => typeEquals(value.type, element))) return tupleValue(values);
  return { type: listOf(element), data: values };
}

function unknownResult(type: SequenceType, apply: (value: Value) => Value): Value {
  if (type.kind === "tuple") {
    return unknownValue(tupleOf(type.elements.map((element) => apply(unknownValue(element)).type)));
  }
  return unknownValue(listOf(apply(unknownValue(type.element)).type), { notNull: true });
}
