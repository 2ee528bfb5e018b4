/**
 * @module What can be said of a configuration without the engine: which of our resources comes after which, and the
 * values of settings that refer to variables and locals alone.
 */
import type { Configuration } from "../../compiler/index.ts";
import { providerSchema } from "../../core/index.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import {
  createWorld,
  functionsFor,
  type Loaded,
  load,
  type ModuleInstance,
  nothingKnown,
  Problems,
  type VariableInput,
} from "../../engine/index.ts";
import type { Scope } from "../../eval/scope.ts";

export interface KnownConfiguration {
  readonly loaded: Loaded;
  /** @param report gets what is wrong in locals that are looked at */
  scope(report: (problem: Diagnostic) => void, module?: ModuleInstance): Scope;
}

/** What is wrong with the configuration is the engine's to say, and so is what only it can evaluate. */
export function knownConfiguration(
  configuration: Configuration,
  variables: readonly VariableInput[],
): KnownConfiguration {
  const planTime = new Date();
  const functions = functionsFor(configuration.directory, { planTime });
  const ours = { ...configuration, foreign: [], diagnostics: [] };
  const options = { configuration: ours, schema: providerSchema, variables, functions, planTime };
  const loaded = load({ ...options, unset: "unknown" }, new Problems());
  return {
    loaded,
    scope: (report, module) =>
      createWorld(loaded.surroundings, nothingKnown, report).scope({}, undefined, module),
  };
}

/** The same, looked at when it is asked for first: by then it is known to have no errors. */
export function knownWhenAsked(
  configuration: Configuration,
  variables: readonly VariableInput[],
): () => KnownConfiguration {
  let known: KnownConfiguration | undefined;
  return () => {
    known ??= knownConfiguration(configuration, variables);
    return known;
  };
}
