/**
 * @module The definition of a function: its parameters, and how it handles nulls, unknowns and marks.
 */
import type { Type } from "../values/type.ts";
import type { Value } from "../values/value.ts";
import type { Outcome } from "./evaluator.ts";

export interface Parameter {
  readonly name: string;
  /** The type that arguments are converted to. */
  readonly type: Type;
  /** Whether null is allowed; otherwise it is an error, and the function is not called. */
  readonly allowNull?: boolean;
  /**
   * Whether unknown values are allowed. Otherwise an argument that is unknown at any depth makes the result unknown
   * without a call; with `"inside"` only an argument that is itself unknown does.
   */
  readonly allowUnknown?: true | "inside";
  /**
   * Whether the function handles marks. Otherwise they are removed at any depth and added to the result; with
   * `"inside"` only the argument's own marks are, and those of its elements are left to the function.
   */
  readonly allowMarked?: true | "inside";
}

/** Why a function cannot be called, without a full stop. */
export interface FunctionError {
  readonly error: string;
  /** Position of the invalid argument, from 0. */
  readonly argument?: number;
}

export const functionError = (error: string, argument?: number): FunctionError =>
  argument === undefined ? { error } : { error, argument };

export const isFunctionError = (result: object): result is FunctionError => "error" in result;

/** A function whose arguments are evaluated before it is called. */
export interface EagerFunction {
  readonly name: string;
  readonly params: readonly Parameter[];
  /** The parameter for all further arguments. */
  readonly variadic?: Parameter;
  /** The type of an unknown result. The arguments may be unknown themselves. */
  readonly returnType: Type | ((args: readonly Value[]) => Type | FunctionError);
  readonly call: (args: readonly Value[]) => Value | FunctionError;
}

/** A function that gets the diagnostics of its arguments instead of having them reported: `try` and `can`. */
export interface LazyFunction {
  readonly name: string;
  readonly callLazily: (args: readonly (() => Outcome)[]) => Value | FunctionError;
}

export type FunctionDefinition = EagerFunction | LazyFunction;
