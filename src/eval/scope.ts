/**
 * @module What an expression can refer to: names and functions.
 */
import type { PathStep } from "../values/path.ts";
import type { Value } from "../values/value.ts";
import type { FunctionDefinition } from "./function-definition.ts";

export interface Scope {
  /** The value of a root name: `var`, `local`, `each`, `path`. Undefined when there is no such name. */
  readonly lookup: (name: string) => Value | undefined;
  /**
   * Asked before {@link lookup}, with the root name and the steps that follow it, so that a reference to one of
   * thousands of instances needs no value that holds them all. Steps end before the first key that is unknown or
   * marked. Undefined leaves the name to `lookup`.
   */
  readonly resolve?: (root: string, steps: readonly PathStep[]) => Resolution | undefined;
  /** All root names, for suggestions. */
  readonly names: () => Iterable<string>;
  readonly functions: ReadonlyMap<string, FunctionDefinition>;
}

/** The value of a root name and the first `consumed` steps, to which the evaluator applies the rest; or why there is none. */
export type Resolution =
  | { readonly value: Value; readonly consumed: number }
  | { readonly summary: string; readonly detail: string };

/** A scope in which names stand for given values. */
export function scopeOf(
  values: Readonly<Record<string, Value>>,
  functions: ReadonlyMap<string, FunctionDefinition> = new Map(),
): Scope {
  return {
    lookup: (name) => (Object.hasOwn(values, name) ? values[name] : undefined),
    names: () => Object.keys(values),
    functions,
  };
}

/** A scope with additional names, which hide outer ones: the variables of a `for`. */
export function innerScope(outer: Scope, locals: ReadonlyMap<string, Value>): Scope {
  return {
    lookup: (name) => locals.get(name) ?? outer.lookup(name),
    resolve: (root, steps) => (locals.has(root) ? undefined : outer.resolve?.(root, steps)),
    names: () => [...locals.keys(), ...outer.names()],
    functions: outer.functions,
  };
}
