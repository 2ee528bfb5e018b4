/**
 * @module Lists and tuples: their size, their parts, and new ones made of them.
 */
import { BigFloat } from "../../values/big-float.ts";
import { convert, isConversionError } from "../../values/convert.ts";
import { marksDeep, withMarks } from "../../values/marks.ts";
import { isOpenSet } from "../../values/set.ts";
import { dynamicType, listOf, numberType, type Type, tupleOf } from "../../values/type.ts";
import { unify } from "../../values/unify.ts";
import {
  isUnknown,
  listValue,
  type Mark,
  numberValue,
  tupleValue,
  Unknown,
  unknownValue,
  type Value,
} from "../../values/value.ts";
import { isElements } from "../../values/walk.ts";
import { type EagerFunction, type FunctionError, functionError } from "../function-definition.ts";
import {
  container,
  elements,
  elementTypeOf,
  inside,
  isCollection,
  isSequence,
  number,
  parameter,
  size,
  wholeNumber,
} from "./arguments.ts";
import { characterCount } from "./characters.ts";

const length: EagerFunction = {
  name: "length",
  params: [parameter("value", dynamicType, { allowUnknown: true, allowMarked: "inside" })],
  returnType: ([value]) => {
    const kind = value?.type.kind;
    if (kind !== "number" && kind !== "bool") return numberType;
    return functionError("argument must be a string, a collection type, or a structural type", 0);
  },
  call: ([value]) => {
    const { type, data } = value!;
    if (type.kind === "tuple") return size(type.elements.length);
    if (type.kind === "object") return size(Object.keys(type.attributes).length);
    if (data instanceof Unknown) return unknownValue(numberType, { notNull: true });
    if (typeof data === "string") return size(characterCount(data));
    if (isOpenSet(value!)) return unknownValue(numberType, { notNull: true });
    return size(isElements(data) ? data.length : data instanceof Map ? data.size : 0);
  },
};

const element: EagerFunction = {
  name: "element",
  params: [container("list"), parameter("index", numberType)],
  returnType: ([list]) => {
    if (list === undefined || list.type.kind === "dynamic") return dynamicType;
    if (!isSequence(list)) return functionError(`cannot read elements from ${list.type.kind}`, 0);
    return elementTypeOf(list);
  },
  call: ([list, indexValue]) => {
    const index = wholeNumber(indexValue, 1);
    if (typeof index === "object") return index;
    const all = elements(list);
    if (all.length === 0) return functionError("cannot use element function with an empty list", 0);
    return all[((index % all.length) + all.length) % all.length]!;
  },
};

const sameKind = (value: Value | undefined): Type =>
  value === undefined || value.type.kind === "tuple" ? dynamicType : value.type;

/** A list again, or a tuple of what is left of one. */
const like = (model: Value, values: readonly Value[]): Value =>
  model.type.kind === "tuple" ? tupleValue(values) : { type: model.type, data: values };

const concat: EagerFunction = {
  name: "concat",
  params: [],
  variadic: container("seqs"),
  returnType: (args) => {
    if (args.length === 0) return functionError("at least one argument is required");
    const wrong = args.findIndex((value) => !isSequence(value) && value.type.kind !== "dynamic");
    if (wrong >= 0) return functionError("all arguments must be lists or tuples", wrong);
    if (args.some(({ type }) => type.kind === "dynamic")) return dynamicType;
    const lists = args.every(({ type }) => type.kind === "list");
    const common = lists ? unify(args.map(({ type }) => type)) : undefined;
    if (common !== undefined) return common;
    const known = args.every((value) => value.type.kind === "tuple" || !isUnknown(value));
    return known ? tupleOf(args.flatMap(typesOf)) : dynamicType;
  },
  call: (args) => {
    const all = args.flatMap(elements);
    const common = args.every(({ type }) => type.kind === "list")
      ? unify(args.map(({ type }) => type))
      : undefined;
    if (common === undefined) return tupleValue(all);
    const list = convert(tupleValue(all), common);
    return isConversionError(list) ? tupleValue(all) : list.value;
  },
};

function typesOf(value: Value): readonly Type[] {
  return value.type.kind === "tuple" ? value.type.elements : elements(value).map(({ type }) => type);
}

const flatten: EagerFunction = {
  name: "flatten",
  params: [parameter("list", dynamicType, { allowUnknown: "inside", allowMarked: "inside" })],
  returnType: ([list]) =>
    list === undefined || isCollection(list) || list.type.kind === "dynamic"
      ? dynamicType
      : functionError("can only flatten lists, sets and tuples", 0),
  call: ([list]) => {
    const flat: Value[] = [];
    const marks = new Set<Mark>();
    if (collect(list!, flat, marks)) return withMarks(tupleValue(flat), marks);
    // What is in it stays as secret as it is there, wherever it will be.
    return withMarks(unknownValue(dynamicType), marksDeep(list!));
  },
};

/** False when the number of elements is not known. The marks of inner sequences go to the result. */
function collect(value: Value, flat: Value[], marks: Set<Mark>): boolean {
  if (isOpenSet(value)) return false;
  for (const inner of elements(value)) {
    if (isCollection(inner) && isUnknown(inner)) return false;
    if (inner.type.kind === "dynamic" && isUnknown(inner)) return false;
    if (isCollection(inner)) for (const mark of inner.marks ?? []) marks.add(mark);
    if (!isCollection(inner) || inner.data === null) flat.push(inner);
    else if (!collect(inner, flat, marks)) return false;
  }
  return true;
}

const reverse: EagerFunction = {
  name: "reverse",
  params: [container("list")],
  returnType: ([list]) => {
    if (list === undefined || list.type.kind === "dynamic") return dynamicType;
    if (!isCollection(list))
      return functionError(`can only reverse list or tuple values, not ${list.type.kind}`, 0);
    if (list.type.kind === "set") return listOf(list.type.element);
    return list.type.kind === "tuple" ? tupleOf([...list.type.elements].reverse()) : list.type;
  },
  call: ([list]) => {
    const reversed = [...elements(list)].reverse();
    return list!.type.kind === "set" ? listValue(list!.type.element, reversed) : like(list!, reversed);
  },
};

const slice: EagerFunction = {
  name: "slice",
  params: [container("list"), parameter("start_index", numberType), parameter("end_index", numberType)],
  returnType: ([list]) =>
    list === undefined || isSequence(list) || list.type.kind === "dynamic"
      ? sameKind(list)
      : functionError(
          "cannot slice a set, because its elements do not have indices; explicitly convert to a list if the ordering of the result is not important",
          0,
        ),
  call: ([list, startValue, endValue]) => {
    const start = wholeNumber(startValue, 1, 0);
    if (typeof start === "object") return start;
    const end = wholeNumber(endValue, 2, 0);
    if (typeof end === "object") return end;
    const all = elements(list);
    if (end > all.length) {
      return functionError("end index must not be greater than the length of the list", 2);
    }
    if (start > end) return functionError("start index must not be greater than end index", 1);
    return like(list!, all.slice(start, end));
  },
};

const chunklist: EagerFunction = {
  name: "chunklist",
  params: [parameter("list", listOf(dynamicType), inside), parameter("size", numberType)],
  returnType: ([list]) => listOf(list?.type ?? dynamicType),
  call: ([list, sizeValue]) => {
    const chunk = wholeNumber(sizeValue, 1, 0);
    if (typeof chunk === "object") return functionError("the size argument must be positive", 1);
    const all = elements(list);
    const step = chunk === 0 ? Math.max(1, all.length) : chunk;
    const chunks: Value[] = [];
    for (let at = 0; at < all.length; at += step)
      chunks.push({ type: list!.type, data: all.slice(at, at + step) });
    return listValue(list!.type, chunks);
  },
};

const range: EagerFunction = {
  name: "range",
  params: [],
  variadic: parameter("params", numberType),
  returnType: listOf(numberType),
  call: (args) => {
    const bounds = rangeBounds(args.map(number));
    if ("error" in bounds) return bounds;
    const { start, limit, step } = bounds;
    const values: Value[] = [];
    for (let at = start; at.compare(limit) === -step.sign; at = at.add(step)) {
      if (values.length >= 1024) {
        return functionError(
          "more than 1024 values were generated; either decrease the difference between start and end or use a smaller step",
        );
      }
      values.push(numberValue(at));
    }
    return listValue(numberType, values);
  },
};

interface Bounds {
  readonly start: BigFloat;
  readonly limit: BigFloat;
  readonly step: BigFloat;
}

/** Without a step the range counts towards its end, also downwards. */
function rangeBounds(args: readonly BigFloat[]): Bounds | FunctionError {
  const [first, second, third] = args;
  if (first === undefined || args.length > 3) {
    return functionError("must have one, two, or three arguments");
  }
  const start = second === undefined ? BigFloat.zero : first;
  const limit = second ?? first;
  const step = third ?? BigFloat.of(limit.compare(start) < 0 ? -1 : 1);
  if (step.sign === 0) return functionError("step must not be zero", 2);
  const up = limit.compare(start);
  if (up > 0 && step.sign < 0) return functionError("end must be less than start when step is negative", 1);
  if (up < 0 && step.sign > 0)
    return functionError("end must be greater than start when step is positive", 1);
  return { start, limit, step };
}

export const listFunctions: readonly EagerFunction[] = [
  length,
  element,
  concat,
  flatten,
  reverse,
  slice,
  chunklist,
  range,
];
