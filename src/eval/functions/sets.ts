/**
 * @module Set algebra and products.
 */
import { convert, isConversionError } from "../../values/convert.ts";
import { marksDeep, withMarks } from "../../values/marks.ts";
import { isOpenSet, markedSet } from "../../values/set.ts";
import { membership } from "../../values/set-order.ts";
import { dynamicType, listOf, setOf, type Type, tupleOf } from "../../values/type.ts";
import { unify } from "../../values/unify.ts";
import { listValue, setValue, tupleValue, unknownValue, type Value } from "../../values/value.ts";
import { mostItems } from "../evaluator.ts";
import { type EagerFunction, functionError } from "../function-definition.ts";
import { elements, type Flags, isCollection, parameter } from "./arguments.ts";

/** A function over sets of a common element type. */
function algebra(
  name: string,
  params: readonly string[],
  combine: (first: readonly Value[], second: readonly Value[]) => readonly Value[],
): EagerFunction {
  const returnType = (args: readonly Value[]): Type => setOf(unify(args.map(elementType)) ?? dynamicType);
  // Whether an unknown element is in both sets is not known; in a union it does not matter.
  const flags: Flags = name === "setunion" ? { allowUnknown: "inside" } : {};
  const sets = params.map((param) => parameter(param, setOf(dynamicType), flags));
  return {
    name,
    params: sets,
    ...(params.length === 1 && { variadic: parameter("other_sets", setOf(dynamicType), flags) }),
    returnType: (args) =>
      unify(args.map(elementType)) === undefined
        ? functionError("given sets must all have compatible element types")
        : returnType(args),
    call: (args) => {
      const type = returnType(args);
      const converted: (readonly Value[])[] = [];
      for (const [i, set] of args.entries()) {
        const conversion = convert(set, type);
        if (isConversionError(conversion)) return functionError(conversion.error, i);
        converted.push(elements(conversion.value));
      }
      const element = "element" in type ? type.element : dynamicType;
      return setValue(element, converted.reduce(combine));
    },
  };
}

function elementType({ type }: Value): Type {
  return "element" in type ? type.element : dynamicType;
}

const setproduct: EagerFunction = {
  name: "setproduct",
  params: [],
  variadic: parameter("sets", dynamicType, { allowMarked: "inside", allowUnknown: "inside" }),
  returnType: (args) => {
    if (args.length < 2) return functionError("at least two arguments are required");
    const wrong = args.findIndex((value) => !isCollection(value) && value.type.kind !== "dynamic");
    if (wrong >= 0) return functionError("a set or a list is required", wrong);
    const types = args.map(memberType);
    if (types.some((type) => type === undefined))
      return functionError("all elements must be of the same type");
    const element = tupleOf(types.map((type) => type ?? dynamicType));
    return args.some(({ type }) => type.kind === "set") ? setOf(element) : listOf(element);
  },
  call: (args) => {
    if (args.some(isOpenSet)) {
      const element = tupleOf(args.map((value) => memberType(value) ?? dynamicType));
      return withMarks(
        unknownValue(setOf(element), { notNull: true }),
        args.flatMap((value) => [...marksDeep(value)]),
      );
    }
    const count = args.reduce((product, set) => product * elements(set).length, 1);
    if (count > mostItems) return functionError(`the product has more than ${mostItems} elements`);
    const types = args.map((value) => memberType(value) ?? dynamicType);
    let rows: readonly (readonly Value[])[] = [[]];
    for (const [i, set] of args.entries()) {
      const column = elements(set).map((value) => {
        const conversion = convert(value, types[i]!);
        return isConversionError(conversion) ? value : conversion.value;
      });
      rows = rows.flatMap((row) => column.map((value) => [...row, value]));
    }
    const element = tupleOf(types);
    const tuples = rows.map(tupleValue);
    return args.some(({ type }) => type.kind === "set")
      ? markedSet(element, tuples)
      : listValue(element, tuples);
  },
};

function memberType(value: Value): Type | undefined {
  return value.type.kind === "tuple" ? unify(value.type.elements) : elementType(value);
}

export const setFunctions: readonly EagerFunction[] = [
  algebra("setunion", ["first_set"], (first, second) => [...first, ...second]),
  algebra("setintersection", ["first_set"], (first, second) => first.filter(membership(second))),
  algebra("setsubtract", ["a", "b"], (first, second) => {
    const isRemoved = membership(second);
    return first.filter((value) => !isRemoved(value));
  }),
  setproduct,
];
