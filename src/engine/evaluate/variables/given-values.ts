/**
 * @module Checks the given values of variables before anything is asked for.
 */
import type { ModuleInstance } from "../modules/module-instance.ts";
import { valueName } from "../names/reference-index.ts";
import type { Surroundings } from "../names/surroundings.ts";
import { createWorld } from "../names/world.ts";
import type { Problems } from "../problems.ts";
import { nothingKnown } from "../resources/resource-values.ts";
import { locationOfInput, type VariableInput } from "./variable-input.ts";
import { checkVariable } from "./variables.ts";

/**
 * Reports which conditions of the root module's variables do not hold, as far as that is known without any resource.
 *
 * @param inputs lowest precedence first
 */
export function checkRootVariables(
  surroundings: Surroundings,
  inputs: readonly VariableInput[],
  problems: Problems,
): void {
  const locations = new Map(inputs.map((input) => [input.name, locationOfInput(input)]));
  const world = createWorld(surroundings, nothingKnown, (problem) => problems.report(problem));
  const { variables } = surroundings.root.configuration;
  for (const variable of variables.values())
    checkVariable(variable, world.scope({}), problems, locations.get(variable.name));
}

/** What modules are given and what refers to no resource: what is wrong with it is said before anything is asked. */
export function checkFixedInputs(
  modules: readonly ModuleInstance[],
  surroundings: Surroundings,
  problems: Problems,
): void {
  const world = createWorld(surroundings, nothingKnown, (problem) => problems.report(problem));
  for (const module of modules) {
    if (module.caller === undefined) continue;
    const scope = world.scope({}, undefined, module);
    for (const name of module.configuration.variables.keys()) {
      if (surroundings.isFixed(valueName(module, "var", name))) scope.resolve?.("var", [{ attribute: name }]);
    }
  }
}
