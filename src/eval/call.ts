/**
 * @module Function calls. Arguments are counted, expanded and converted here, and nulls, unknowns and marks handled,
 * so that a function gets only what it declares.
 */
import { didYouMean } from "../diagnostics/nearest.ts";
import type { SourceRange } from "../diagnostics/source.ts";
import type { Expression, FunctionCall } from "../hcl/tree.ts";
import { convert, isConversionError } from "../values/convert.ts";
import { unmark, unmarkDeep, withMarks } from "../values/marks.ts";
import { formatPath } from "../values/path.ts";
import type { Type } from "../values/type.ts";
import { isNull, isUnknown, type Mark, unknownValue, type Value } from "../values/value.ts";
import { isElements, isWhollyKnown } from "../values/walk.ts";
import { anything, type Evaluator, failed } from "./evaluator.ts";
import {
  type EagerFunction,
  type FunctionError,
  functionError,
  isFunctionError,
  type LazyFunction,
  type Parameter,
} from "./function-definition.ts";
import { tooLarge } from "./too-large.ts";

/** An argument and where it was written. */
interface Argument {
  readonly value: Value;
  readonly range: SourceRange;
}

export function evaluateCall(call: FunctionCall, at: Evaluator): Value {
  const definition = at.scope.functions.get(call.name.replace(/^core::/, ""));
  if (definition === undefined) {
    call.args.forEach(at.evaluate);
    return unknownFunction(call, at);
  }
  if ("callLazily" in definition) return callLazily(definition, call, at);
  const expanded = argumentsOf(call, at);
  if ("unknown" in expanded) return withMarks(anything, expanded.unknown.marks ?? []);
  if (!countFits(definition, expanded.args.length, call, at)) return anything;
  const ready = convertAll(definition, expanded.args, call.name, at);
  return ready === undefined ? anything : applied(definition, ready, expanded.args, call, at);
}

function unknownFunction(call: FunctionCall, at: Evaluator): Value {
  const { functions } = at.scope;
  const detail = call.name.includes("::")
    ? `There is no function named "${call.name}". Functions of providers cannot be called here.`
    : `There is no function named "${call.name}".${didYouMean(call.name, functions.keys())}`;
  return failed(at, call.nameRange, "Call to unknown function", detail);
}

function callLazily(definition: LazyFunction, call: FunctionCall, at: Evaluator): Value {
  const written = call.expandFinal ? call.args.slice(0, -1) : call.args;
  const args = written.map((expression) => () => at.apart(expression));
  if (call.expandFinal) {
    const expanded = expandFinal(call.args.at(-1)!, at);
    if ("unknown" in expanded) return withMarks(anything, expanded.unknown.marks ?? []);
    args.push(
      ...expanded.args.map(({ value }) => () => ({ value, diagnostics: [] })),
    );
  }
  const result = definition.callLazily(args);
  return isFunctionError(result) ? reportError(result, [], call.name, call, at) : result;
}

type Arguments = { readonly args: readonly Argument[] } | { readonly unknown: Value };

/** The arguments, the last one expanded if `...` follows it; or an unknown argument that cannot be expanded yet. */
function argumentsOf(call: FunctionCall, at: Evaluator): Arguments {
  const written = call.expandFinal ? call.args.slice(0, -1) : call.args;
  const args = written.map((expression): Argument => ({ value: at.evaluate(expression), range: expression }));
  if (!call.expandFinal) return { args };
  const expanded = expandFinal(call.args.at(-1)!, at);
  return "unknown" in expanded ? expanded : { args: [...args, ...expanded.args] };
}

/** The elements of `expression...` as arguments, with its marks. */
function expandFinal(expression: Expression, at: Evaluator): Arguments {
  const value = at.evaluate(expression);
  const { type, data } = value;
  const invalid = (problem: string): Arguments => {
    const detail = `The expanding argument (indicated by ...) must ${problem}.`;
    return { unknown: failed(at, expression, "Invalid expanding argument value", detail) };
  };
  if (data === null) return invalid("not be null");
  if (type.kind === "dynamic") return { unknown: value };
  if (type.kind !== "tuple" && type.kind !== "list" && type.kind !== "set") {
    return invalid("be of a tuple, list, or set type");
  }
  if (!isElements(data)) return { unknown: value };
  return {
    args: data.map((element) => ({ value: withMarks(element, value.marks ?? []), range: expression })),
  };
}

function countFits(definition: EagerFunction, count: number, call: FunctionCall, at: Evaluator): boolean {
  const { params, variadic } = definition;
  if (count < params.length) {
    const expected = variadic === undefined ? `${params.length}` : `at least ${params.length}`;
    const detail = `Function "${call.name}" expects ${expected} argument(s). Missing value for "${params[count]!.name}".`;
    failed(at, call, "Not enough function arguments", detail);
    return false;
  }
  if (count > params.length && variadic === undefined) {
    const detail = `Function "${call.name}" expects only ${params.length} argument(s).`;
    failed(at, call.args[params.length] ?? call, "Too many function arguments", detail);
    return false;
  }
  return true;
}

function parameterAt(definition: EagerFunction, index: number): Parameter {
  return definition.params[index] ?? definition.variadic!;
}

/** Undefined after reporting that an argument does not fit. */
function convertAll(
  definition: EagerFunction,
  args: readonly Argument[],
  name: string,
  at: Evaluator,
): readonly Value[] | undefined {
  let fit = true;
  const converted = args.map(({ value, range }, i) => {
    const parameter = parameterAt(definition, i);
    const conversion = convert(value, parameter.type);
    const error = isConversionError(conversion)
      ? withPath(conversion.error, formatPath(conversion.path))
      : isNull(conversion.value) && !parameter.allowNull
        ? "argument must not be null"
        : undefined;
    if (error === undefined && !isConversionError(conversion)) return conversion.value;
    failed(
      at,
      range,
      "Invalid function argument",
      `Invalid value for "${parameter.name}" parameter: ${error}.`,
    );
    fit = false;
    return value;
  });
  return fit && name !== "" ? converted : undefined;
}

function withPath(error: string, path: string): string {
  return path === "" ? error : `element ${path}: ${error}`;
}

function applied(
  definition: EagerFunction,
  values: readonly Value[],
  args: readonly Argument[],
  call: FunctionCall,
  at: Evaluator,
): Value {
  const marks = new Set<Mark>();
  const plain = values.map((value, i) => {
    const { allowMarked } = parameterAt(definition, i);
    if (allowMarked === true) return value;
    if (allowMarked === "inside") {
      for (const mark of value.marks ?? []) marks.add(mark);
      return unmark(value);
    }
    const { value: unmarked, paths } = unmarkDeep(value);
    for (const found of paths) for (const mark of found.marks) marks.add(mark);
    return unmarked;
  });
  const result = applyPlain(definition, plain);
  if (isFunctionError(result)) {
    return reportError(
      marks.size === 0 && !at.secret ? result : withoutReason(result),
      args,
      call.name,
      call,
      at,
    );
  }
  return withMarks(result, new Set([...(result.marks ?? []), ...marks]));
}

/** A function's error may quote its arguments, which must not be shown when one of them is sensitive. */
function withoutReason({ argument }: FunctionError): FunctionError {
  return functionError("the reason is not shown, because an argument is sensitive or ephemeral", argument);
}

/** Calls the function, unless an unknown argument prevents that. */
function applyPlain(definition: EagerFunction, args: readonly Value[]): Value | FunctionError {
  const type =
    typeof definition.returnType === "function" ? definition.returnType(args) : definition.returnType;
  if (isFunctionError(type)) return type;
  const mustWait = args.some((value, i) => {
    const { allowUnknown } = parameterAt(definition, i);
    if (allowUnknown === true) return false;
    return allowUnknown === "inside" ? isUnknown(value) : !isWhollyKnown(value);
  });
  if (!mustWait) return called(definition, args);
  return unknownValue(type, isPrimitive(type) ? { notNull: true } : undefined);
}

function called(definition: EagerFunction, args: readonly Value[]): Value | FunctionError {
  try {
    return definition.call(args);
  } catch (error) {
    if (error instanceof RangeError) return functionError(tooLarge(error));
    throw error;
  }
}

function isPrimitive(type: Type): boolean {
  return type.kind === "string" || type.kind === "number" || type.kind === "bool";
}

function reportError(
  { error, argument }: FunctionError,
  args: readonly Argument[],
  name: string,
  call: FunctionCall,
  at: Evaluator,
): Value {
  const definition = at.scope.functions.get(name.replace(/^core::/, ""));
  const wrong = argument === undefined ? undefined : args[argument];
  if (wrong === undefined || definition === undefined || "callLazily" in definition) {
    return failed(at, call, "Error in function call", `Call to function "${name}" failed: ${error}.`);
  }
  const parameter = parameterAt(definition, argument!);
  const detail = `Invalid value for "${parameter.name}" parameter: ${error}.`;
  return failed(at, wrong.range, "Invalid function argument", detail);
}
