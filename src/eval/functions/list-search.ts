/**
 * @module Finding, testing and choosing among the elements of a list, tuple or set.
 */
import { convert, isConversionError } from "../../values/convert.ts";
import { isOpenSet } from "../../values/set.ts";
import { compareText, distinctValues, membership } from "../../values/set-order.ts";
import { boolType, dynamicType, listOf, numberType, stringType, type Type } from "../../values/type.ts";
import { unify } from "../../values/unify.ts";
import { boolValue, isUnknown, listValue, nullValue, unknownValue, type Value } from "../../values/value.ts";
import { equalValues } from "../equality.ts";
import { type EagerFunction, functionError } from "../function-definition.ts";
import {
  container,
  elements,
  elementTypeOf,
  isCollection,
  isSequence,
  parameter,
  size,
  text,
} from "./arguments.ts";

const distinct: EagerFunction = {
  name: "distinct",
  params: [parameter("list", listOf(dynamicType))],
  returnType: sameOf,
  call: ([list]) => ({ type: list!.type, data: distinctValues(elements(list)) }),
};

function sameOf([value]: readonly Value[]): Type {
  return value?.type ?? dynamicType;
}

const contains: EagerFunction = {
  name: "contains",
  params: [
    parameter("list", dynamicType, { allowUnknown: "inside" }),
    parameter("value", dynamicType, { allowUnknown: true }),
  ],
  returnType: ([list]) =>
    list === undefined || isCollection(list) || list.type.kind === "dynamic"
      ? boolType
      : functionError("argument must be list, tuple, or set", 0),
  call: ([list, value]) => {
    const results = elements(list).map((element) => equalValues(element, value!).equal);
    if (results.includes(true)) return boolValue(true);
    return results.includes(undefined) ? unknownValue(boolType, { notNull: true }) : boolValue(false);
  },
};

const index: EagerFunction = {
  name: "index",
  params: [
    parameter("list", dynamicType, { allowUnknown: "inside" }),
    parameter("value", dynamicType, { allowUnknown: "inside" }),
  ],
  returnType: ([list]) =>
    list === undefined || isSequence(list) || list.type.kind === "dynamic"
      ? numberType
      : functionError("argument must be a list or tuple", 0),
  call: ([list, value]) => {
    if (elements(list).length === 0) return functionError("cannot search an empty list");
    for (const [position, element] of elements(list).entries()) {
      const { equal } = equalValues(element, value!);
      if (equal === undefined) return unknownValue(numberType, { notNull: true });
      if (equal) return size(position);
    }
    return functionError("item not found");
  },
};

const sort: EagerFunction = {
  name: "sort",
  params: [parameter("list", listOf(stringType), { allowUnknown: "inside" })],
  returnType: listOf(stringType),
  call: ([list]) => {
    // Where each one will come is not known, only how many there are.
    if (elements(list).some(isUnknown)) {
      return listValue(
        stringType,
        elements(list).map(() => unknownValue(stringType)),
      );
    }
    const absent = elements(list).findIndex(({ data }) => data === null);
    if (absent >= 0) {
      return functionError(`given list element ${absent} is null; a null string cannot be sorted`, 0);
    }
    return listValue(
      stringType,
      [...elements(list)].sort((a, b) => compareText(text(a), text(b))),
    );
  },
};

const compact: EagerFunction = {
  name: "compact",
  params: [parameter("list", listOf(stringType))],
  returnType: listOf(stringType),
  call: ([list]) =>
    listValue(
      stringType,
      elements(list).filter(({ data }) => data !== null && data !== ""),
    ),
};

const one: EagerFunction = {
  name: "one",
  params: [container("list")],
  returnType: ([list]) => {
    if (list === undefined || list.type.kind === "dynamic") return dynamicType;
    if (!isCollection(list)) return functionError("must be a list, set, or tuple value", 0);
    return list.type.kind === "tuple" ? (list.type.elements[0] ?? dynamicType) : elementTypeOf(list);
  },
  call: ([list]) => {
    if (isOpenSet(list!)) return unknownValue(elementTypeOf(list));
    const [first, second] = elements(list);
    if (second !== undefined)
      return functionError("must be a list, set, or tuple value with either zero or one elements", 0);
    return first ?? nullValue(elementTypeOf(list));
  },
};

const alltrue: EagerFunction = {
  name: "alltrue",
  params: [parameter("list", listOf(boolType), { allowUnknown: "inside" })],
  returnType: boolType,
  call: ([list]) => {
    // In order: an unknown element hides what comes after it. A null counts as false.
    const decisive = elements(list).find(({ data }) => data !== true);
    if (decisive === undefined) return boolValue(true);
    return isUnknown(decisive) ? unknownValue(boolType, { notNull: true }) : boolValue(false);
  },
};

const anytrue: EagerFunction = {
  name: "anytrue",
  params: [parameter("list", listOf(boolType), { allowUnknown: "inside" })],
  returnType: boolType,
  call: ([list]) => {
    if (elements(list).some(({ data }) => data === true)) return boolValue(true);
    return elements(list).some(isUnknown) ? unknownValue(boolType, { notNull: true }) : boolValue(false);
  },
};

const coalescelist: EagerFunction = {
  name: "coalescelist",
  params: [],
  variadic: parameter("vals", dynamicType, { allowUnknown: true, allowNull: true }),
  returnType: (args) => {
    const wrong = args.findIndex((value) => !isSequence(value) && value.type.kind !== "dynamic");
    if (wrong >= 0) return functionError("coalescelist arguments must be lists or tuples", wrong);
    return dynamicType;
  },
  call: (args) => {
    for (const value of args) {
      if (isUnknown(value)) return unknownValue(dynamicType);
      if (elements(value).length > 0) return value;
    }
    return functionError("no non-null arguments");
  },
};

const matchkeys: EagerFunction = {
  name: "matchkeys",
  params: ["values", "keys", "searchset"].map((name) => parameter(name, listOf(dynamicType))),
  returnType: sameOf,
  call: ([values, keys, searchset]) => {
    if (elements(values).length !== elements(keys).length) {
      return functionError("length of keys and values should be equal");
    }
    // They are compared as one type: 3 is in ["3"].
    const type = unify([keys!.type, searchset!.type]);
    const [ownKeys, wanted] = [keys!, searchset!].map((list) => type && convert(list, type));
    if (
      ownKeys === undefined ||
      wanted === undefined ||
      isConversionError(ownKeys) ||
      isConversionError(wanted)
    )
      return functionError("keys and searchset must be of the same type");
    const isWanted = membership(elements(wanted.value));
    const kept = elements(values).filter((_, i) => isWanted(elements(ownKeys.value)[i]!));
    return { type: values!.type, data: kept };
  },
};

export const listSearchFunctions: readonly EagerFunction[] = [
  distinct,
  contains,
  index,
  sort,
  compact,
  one,
  alltrue,
  anytrue,
  coalescelist,
  matchkeys,
];
