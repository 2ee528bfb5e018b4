/**
 * @module What is wrong with a configuration as far as it can be known without a state and without a host.
 */
import type { Configuration } from "../compiler/model.ts";
import type { Provider } from "../core/provider.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { evaluate } from "../eval/evaluate.ts";
import { dynamicType, stringType } from "../values/type.ts";
import { isUnknown, unknownValue } from "../values/value.ts";
import { isWhollyKnown } from "../values/walk.ts";
import { evaluateModules, evaluateOutputs } from "./decide/outputs.ts";
import { configuredObject, reporter } from "./decide/plan-instance.ts";
import { type Expansion, expand, keysOf, selfOf } from "./load/expansion.ts";
import { functionsFor } from "./load/functions.ts";
import { type LoadedResource, load } from "./load/load.ts";
import { PhaseValues } from "./load/phase-values.ts";
import { Problems } from "./load/problems.ts";
import { configureProvider } from "./load/provider-config.ts";
import type { Self } from "./load/self.ts";
import { subjectOf } from "./load/subject.ts";
import type { VariableInput } from "./load/variable-input.ts";
import { createWorld, type World } from "./load/world.ts";
import type { InstanceKey } from "./plan.ts";

export interface ValidateOptions {
  readonly configuration: Configuration;
  readonly provider: Provider;
  /** Lowest precedence first. A variable without a value and without a default is unknown. */
  readonly variables: readonly VariableInput[];
}

/**
 * Evaluates everything with what resources give unknown, and has the provider look at every configured object. Finds
 * what a plan would find before its first question to a host.
 */
export function validateConfiguration(options: ValidateOptions): readonly Diagnostic[] {
  const { configuration, provider, variables } = options;
  const problems = new Problems();
  const planTime = new Date();
  const functions = functionsFor(configuration.directory, { planTime });
  const { schema } = provider;
  const loaded = load({ configuration, schema, variables, functions, planTime, unset: "unknown" }, problems);
  if (!problems.failed) configureProvider(configuration, loaded.surroundings, provider, problems);
  if (problems.failed) return problems.all;
  const values = new PhaseValues();
  const world = createWorld(loaded.surroundings, values, (problem) => problems.report(problem));
  for (const resource of loaded.resources.values()) {
    const expansion = expansionOf(resource, world, problems);
    if (expansion === "invalid") continue;
    if (expansion !== "unknown")
      values.declare(resource.resource.address, expansion, resource.type.objectType);
    for (const instance of instancesOf(expansion))
      validateInstance(resource, instance, world, provider, problems);
  }
  evaluateModules(world, loaded);
  evaluateOutputs(world, loaded, problems);
  return problems.all;
}

/** Which instances there are; `unknown` when that depends on what is not known here. */
function expansionOf(
  { resource, module }: LoadedResource,
  world: World,
  problems: Problems,
): Expansion | "unknown" | "invalid" {
  const { forEach, count } = resource;
  const expression = forEach ?? count;
  const scope = world.scope({}, undefined, module);
  if (expression !== undefined) {
    const { value, diagnostics } = evaluate(expression, scope);
    if (!problems.reportAll(diagnostics)) return "invalid";
    if (isUnknown(value) || (value.type.kind === "set" && !isWhollyKnown(value))) return "unknown";
  }
  const { expansion, diagnostics } = expand(forEach, count, scope);
  problems.reportAll(diagnostics);
  return expansion ?? "invalid";
}

interface Instance {
  readonly key: InstanceKey;
  readonly self: Self;
}

/** One whose `each` is unknown and whose `count` is 0 stands for instances that are not known. */
function instancesOf(expansion: Expansion | "unknown"): readonly Instance[] {
  if (expansion !== "unknown") return keysOf(expansion).map((key) => ({ key, self: selfOf(expansion, key) }));
  const each = { key: unknownValue(stringType), value: unknownValue(dynamicType) };
  return [{ key: undefined, self: { each, count: 0 } }];
}

function validateInstance(
  loaded: LoadedResource,
  { key, self }: Instance,
  world: World,
  provider: Provider,
  problems: Problems,
): void {
  const { resource, type } = loaded;
  const report = reporter(
    problems,
    subjectOf(resource, resource.address, key),
    resource.body,
    resource.range,
  );
  const configured = configuredObject({ loaded, self, refreshed: undefined }, world, [], report);
  if (configured !== undefined) report(provider.validateResourceConfig(type.name, configured.config));
}
