/**
 * @module `{ key = value }`
 */
import type { Expression, ObjectExpression } from "../hcl/tree.ts";
import { convert, isConversionError } from "../values/convert.ts";
import { withMarks } from "../values/marks.ts";
import { stringType } from "../values/type.ts";
import { isUnknown, type Mark, objectValue, stringValue, type Value } from "../values/value.ts";
import { anything, type Evaluator, failed } from "./evaluator.ts";

/** An object. A key that is not known yet leaves all of it unknown; of equal keys the last one counts. */
export function evaluateObject(expression: ObjectExpression, at: Evaluator): Value {
  const attributes = new Map<string, Value>();
  const marks = new Set<Mark>();
  let known = true;
  for (const item of expression.items) {
    const key = keyOf(item.key, at);
    const value = at.evaluate(item.value);
    for (const mark of key?.marks ?? []) marks.add(mark);
    if (typeof key?.data === "string") attributes.set(key.data, value);
    else known = false;
  }
  return withMarks(known ? objectValue(attributes) : anything, marks);
}

/** A key as a string or an unknown; undefined when it can be none, which has been reported then. */
function keyOf(expression: Expression, at: Evaluator): Value | undefined {
  if (expression.kind === "variable") return stringValue(expression.name);
  if (expression.kind === "keyword") return stringValue(String(expression.value));
  if (expression.kind === "attributeAccess") {
    failed(
      at,
      expression,
      "Ambiguous attribute key",
      "If this expression is intended to be a reference, wrap it in parentheses. If it's instead intended as a literal name containing periods, wrap it in quotes to create a string literal.",
    );
    return undefined;
  }
  const key = at.evaluate(expression);
  if (key.data === null) {
    failed(at, expression, "Null value as key", "Can't use a null value as a key.");
    return undefined;
  }
  const text = convert(key, stringType);
  if (isConversionError(text)) {
    failed(at, expression, "Incorrect key type", `Can't use this value as a key: ${text.error}.`);
    return undefined;
  }
  return isUnknown(text.value)
    ? { ...anything, ...(text.value.marks && { marks: text.value.marks }) }
    : text.value;
}
