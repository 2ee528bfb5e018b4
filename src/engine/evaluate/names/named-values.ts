/**
 * @module Values that have names: each is found once in a phase, or, where no resource is behind it, once for all phases.
 */

import type { Diagnostic } from "../../../diagnostics/diagnostic.ts";
import { evaluate } from "../../../eval/evaluate.ts";
import type { Scope } from "../../../eval/scope.ts";
import type { Expression } from "../../../hcl/tree.ts";
import type { Value } from "../../../values/value.ts";
import type { ModuleInstance } from "../modules/module-instance.ts";
import type { Access } from "../resources/resource-values.ts";
import type { Self } from "./self.ts";
import type { NamedValue, Surroundings } from "./surroundings.ts";

/** What finding a value takes. */
export interface Finding {
  readonly surroundings: Surroundings;
  scope(self: Self, accesses?: Access[], module?: ModuleInstance): Scope;
  report(diagnostic: Diagnostic): void;
  /**
   * @param accesses gets what was looked at to find the value, now or before
   * @param find is given where to put what the value's own expressions look at, and where it will be kept
   */
  named(
    name: string,
    accesses: Access[] | undefined,
    find: (accesses: Access[], memory: Map<string, NamedValue>) => Value,
  ): Value;
  /** Whether the value was found already. */
  isFound(name: string): boolean;
}

export function createFinding({
  surroundings,
  ...rest
}: Pick<Finding, "surroundings" | "scope" | "report">): Finding {
  const ofPhase = new Map<string, NamedValue>();
  return {
    ...rest,
    surroundings,
    named(name, accesses, find) {
      const memory = surroundings.isFixed(name) ? surroundings.fixed : ofPhase;
      let found = memory.get(name);
      if (found === undefined) {
        const own: Access[] = [];
        const value = find(own, memory);
        found = { value, accesses: eachOnce(own) };
        memory.set(name, found);
      }
      for (const access of found.accesses) accesses?.push(access);
      return found.value;
    },
    isFound: (name) => ofPhase.has(name) || surroundings.fixed.has(name),
  };
}

/** The value of an expression of a module; what is wrong with it is reported. */
export function evaluated(
  { scope, report }: Finding,
  expression: Expression,
  module: ModuleInstance,
  self: Self,
  accesses: Access[],
): Value {
  const { value, diagnostics } = evaluate(expression, scope(self, accesses, module));
  for (const diagnostic of diagnostics) report(diagnostic);
  return value;
}

/** What is looked at through many other values counts once: else it would be doubled with each that refers to it twice. */
function eachOnce(accesses: readonly Access[]): readonly Access[] {
  if (accesses.length < 2) return accesses;
  const byText = new Map(accesses.map((access) => [JSON.stringify(access), access]));
  return byText.size === accesses.length ? accesses : [...byText.values()];
}
