/**
 * @module What expressions are evaluated in that stays the same in all phases of a run.
 */
import type { Variable } from "../../../compiler/index.ts";
import type { FunctionDefinition } from "../../../eval/function-definition.ts";
import type { Resolution } from "../../../eval/scope.ts";
import type { PathStep } from "../../../values/path.ts";
import type { Value } from "../../../values/value.ts";
import type { ModuleInstance } from "../modules/module-instance.ts";
import type { Access } from "../resources/resource-values.ts";
import type { Constraint } from "../variables/constraint.ts";

/** What stays the same in all phases. */
export interface Surroundings {
  readonly root: ModuleInstance;
  /** Values of the root module's variables. */
  readonly variables: ReadonlyMap<string, Value>;
  /** The same as they were given, before their types were applied. */
  readonly given: ReadonlyMap<string, Value>;
  /** Constraints of every variable of every module. */
  readonly constraints: ReadonlyMap<Variable, Constraint>;
  /** Whether a local value, a variable or an output refers to no resource, directly or not. By its name in all modules. */
  readonly isFixed: (name: string) => boolean;
  /** First parts of addresses of resources, and of all that the provider has. */
  readonly resourceTypes: ReadonlySet<string>;
  readonly functions: ReadonlyMap<string, FunctionDefinition>;
  readonly workspace: string;
  /** Asked first, for values that are not to be found out here. */
  readonly elsewhere?: (
    root: string,
    steps: readonly PathStep[],
    module: ModuleInstance,
  ) => Resolution | undefined;
  /** Values that are fixed, found once. */
  readonly fixed: Map<string, NamedValue>;
}

/** A value, and what finding it looked at. */
export interface NamedValue {
  readonly value: Value;
  readonly accesses: readonly Access[];
}
