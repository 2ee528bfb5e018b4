/**
 * @module `[for …]` and `{for …}`.
 */
import type { Expression, For } from "../hcl/tree.ts";
import { convert, isConversionError } from "../values/convert.ts";
import { withMarks } from "../values/marks.ts";
import { boolType, stringType } from "../values/type.ts";
import { friendlyName } from "../values/type-text.ts";
import { isUnknown, type Mark, objectValue, tupleValue, type Value } from "../values/value.ts";
import { anything, type Evaluator, failed, mostItems, withMarksOf } from "./evaluator.ts";
import { type Item, itemsOf } from "./iteration.ts";
import { innerScope } from "./scope.ts";

export function evaluateFor(expression: For, at: Evaluator): Value {
  const collection = at.evaluate(expression.collection);
  const items = iterated(collection, expression.collection, at);
  if (items === undefined) return isUnknown(collection) ? withMarksOf(anything, collection) : anything;
  if (!at.count(items.length)) {
    const detail = `An expression may go through ${mostItems} items, all that is nested counted.`;
    return failed(at, expression, "Too many items", detail);
  }
  const marks = new Set<Mark>(collection.marks);
  const key = expression.key;
  const result =
    key === undefined
      ? tupleOfItems(expression, collection, items, at, marks)
      : objectOfItems(expression, key, collection, items, at, marks);
  return withMarks(result ?? anything, marks);
}

/** Undefined while the collection is unknown, and after reporting that it is none. */
export function iterated(
  collection: Value,
  expression: Expression,
  at: Evaluator,
): readonly Item[] | undefined {
  if (collection.data === null) {
    const detail = "A null value cannot be used as the collection in a 'for' expression.";
    failed(at, expression, "Iteration over null value", detail);
    return undefined;
  }
  const { kind } = collection.type;
  if (kind === "string" || kind === "number" || kind === "bool") {
    const detail = `A value of type ${friendlyName(collection.type)} cannot be used as the collection in a 'for' expression.`;
    failed(at, expression, "Iteration over non-iterable value", detail);
    return undefined;
  }
  return itemsOf(collection);
}

/** An evaluator in which a `for`'s variables have the item's key and value. */
export function withItem(
  names: { readonly keyName: string | undefined; readonly valueName: string },
  item: Item,
  collection: Value,
  at: Evaluator,
): Evaluator {
  const locals = new Map<string, Value>();
  if (names.keyName !== undefined) locals.set(names.keyName, item.key);
  // Of two of one name the value counts, as in OpenTofu.
  locals.set(names.valueName, item.value);
  return at.within(innerScope(at.scope, locals), (collection.marks?.size ?? 0) > 0);
}

function tupleOfItems(
  expression: For,
  collection: Value,
  items: readonly Item[],
  at: Evaluator,
  marks: Set<Mark>,
): Value | undefined {
  const values: Value[] = [];
  let known = true;
  for (const item of items) {
    const inner = withItem(expression, item, collection, at);
    const included = isIncluded(expression.condition, inner, marks);
    if (included === false) continue;
    const value = inner.evaluate(expression.value);
    if (included === undefined) known = false;
    else values.push(value);
  }
  return known ? tupleValue(values) : undefined;
}

function objectOfItems(
  expression: For,
  keyExpression: Expression,
  collection: Value,
  items: readonly Item[],
  at: Evaluator,
  marks: Set<Mark>,
): Value | undefined {
  const groups = new Map<string, Value[]>();
  let known = true;
  for (const item of items) {
    const inner = withItem(expression, item, collection, at);
    const included = isIncluded(expression.condition, inner, marks);
    if (included === false) continue;
    const key = keyOf(keyExpression, inner);
    for (const mark of key?.marks ?? []) marks.add(mark);
    const value = inner.evaluate(expression.value);
    if (included === undefined || typeof key?.data !== "string") {
      known = false;
      continue;
    }
    const group = groups.get(key.data);
    if (group === undefined) groups.set(key.data, [value]);
    else if (expression.grouped) group.push(value);
    else duplicate(keyExpression, key, inner);
  }
  if (!known) return undefined;
  const entries = [...groups].map(([name, values]): [string, Value] => {
    return [name, expression.grouped ? tupleValue(values) : values[0]!];
  });
  return objectValue(new Map(entries));
}

/** Undefined while it is not known, and after reporting that the condition is none. */
function isIncluded(condition: Expression | undefined, at: Evaluator, marks: Set<Mark>): boolean | undefined {
  if (condition === undefined) return true;
  const value = at.evaluate(condition);
  for (const mark of value.marks ?? []) marks.add(mark);
  if (value.data === null) {
    failed(at, condition, "Condition is null", "The value of the 'if' clause must not be null.");
    return undefined;
  }
  const bool = convert(value, boolType);
  if (isConversionError(bool)) {
    failed(at, condition, "Invalid 'for' condition", `The 'if' clause value is invalid: ${bool.error}.`);
    return undefined;
  }
  return isUnknown(bool.value) ? undefined : bool.value.data === true;
}

function keyOf(expression: Expression, at: Evaluator): Value | undefined {
  const key = at.evaluate(expression);
  const invalid = (detail: string): undefined => {
    failed(at, expression, "Invalid object key", detail);
  };
  if (key.data === null) return invalid("Key expression in 'for' expression must not produce a null value.");
  const text = convert(key, stringType);
  if (isConversionError(text))
    return invalid(`The key expression produced an invalid result: ${text.error}.`);
  return text.value;
}

function duplicate(expression: Expression, key: Value, at: Evaluator): void {
  const hidden = at.secret || (key.marks !== undefined && key.marks.size > 0);
  const shown = hidden ? "one key" : `the key ${JSON.stringify(key.data)}`;
  failed(
    at,
    expression,
    "Duplicate object key",
    `Two different items produced ${shown} in this 'for' expression. If duplicates are expected, use the ellipsis (...) after the value expression to enable grouping by key.`,
  );
}
