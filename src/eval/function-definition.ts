/**
 * @module What a function of the language is: its parameters, and how it deals with nulls, unknowns and marks.
 */
import type { Type } from "../values/type.ts";
import type { Value } from "../values/value.ts";
import type { Outcome } from "./evaluator.ts";

export interface Parameter {
  readonly name: string;
  /** Arguments are converted to it. */
  readonly type: Type;
  /** Without it a null is an error before the function is called. */
  readonly allowNull?: boolean;
  /**
   * Without it an argument that is unknown, at any depth, makes the result unknown without a call; with `"inside"` only
   * one that is unknown itself does.
   */
  readonly allowUnknown?: true | "inside";
  /**
   * Without it marks are taken off, at any depth, and put onto the result; with `"inside"` only the argument's own
   * are, and those of its elements are left to the function.
   */
  readonly allowMarked?: true | "inside";
}

/** Why a function cannot be applied, without a full stop. */
export interface FunctionError {
  readonly error: string;
  /** Position of the argument that is wrong, from 0. */
  readonly argument?: number;
}

export const functionError = (error: string, argument?: number): FunctionError =>
  argument === undefined ? { error } : { error, argument };

export const isFunctionError = (result: object): result is FunctionError => "error" in result;

/** A function whose arguments are evaluated before it is called. */
export interface EagerFunction {
  readonly name: string;
  readonly params: readonly Parameter[];
  /** Takes all further arguments. */
  readonly variadic?: Parameter;
  /** For the result while it is unknown. The arguments may be unknown themselves. */
  readonly returnType: Type | ((args: readonly Value[]) => Type | FunctionError);
  readonly call: (args: readonly Value[]) => Value | FunctionError;
}

/** A function that may look at an argument's problems instead of having them reported: `try` and `can`. */
export interface LazyFunction {
  readonly name: string;
  readonly callLazily: (args: readonly (() => Outcome)[]) => Value | FunctionError;
}

export type FunctionDefinition = EagerFunction | LazyFunction;
