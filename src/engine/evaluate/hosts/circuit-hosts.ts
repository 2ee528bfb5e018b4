/**
 * @module Checks the values of circuits' `hosts` before they are used.
 */
import { type Circuit, hostsLocalName } from "../../../compiler/index.ts";
import type { ProviderSchema } from "../../../core/index.ts";
import { evaluate } from "../../../eval/evaluate.ts";
import type { Scope } from "../../../eval/scope.ts";
import { dynamicType } from "../../../values/type.ts";
import { objectValue, unknownValue, type Value } from "../../../values/value.ts";
import { isEntries } from "../../../values/walk.ts";
import type { ModuleInstance } from "../modules/module-instance.ts";
import type { Surroundings } from "../names/surroundings.ts";
import { createWorld, type World } from "../names/world.ts";
import type { Problems } from "../problems.ts";
import { nothingKnown } from "../resources/resource-values.ts";
import { anyType } from "../variables/constraint.ts";
import { type CheckedHosts, checkHosts } from "./host-values.ts";

/** Reports what is wrong with the values of hosts, as far as they are known before anything is read. */
export function checkCircuitHosts(
  modules: readonly ModuleInstance[],
  surroundings: Surroundings,
  schema: ProviderSchema,
  problems: Problems,
): void {
  const check = hostsChecker(surroundings, schema);
  for (const module of modules) {
    // Why they have no value shows where they are needed.
    for (const circuit of module.configuration.circuits) problems.reportAll(check(circuit, module).problems);
  }
}

/** By the module and the names of local values: the hosts where something is wrong with them, as far as they can be used. */
export type UsableHosts = ReadonlyMap<ModuleInstance, ReadonlyMap<string, Value>>;

export function usableHosts(
  modules: readonly ModuleInstance[],
  surroundings: Surroundings,
  schema: ProviderSchema,
  problems: Problems,
): UsableHosts {
  const check = hostsChecker(surroundings, schema);
  const ofModule = (module: ModuleInstance): ReadonlyMap<string, Value> => {
    const values = new Map<string, Value>();
    for (const circuit of module.configuration.circuits) {
      const checked = check(circuit, module);
      problems.reportAll(checked.unevaluated);
      problems.reportAll(checked.problems);
      if (checked.problems.length === 0 && checked.unevaluated.length === 0) continue;
      const name = hostsLocalName(circuit.name);
      const local = module.configuration.locals.get(name);
      if (local !== undefined)
        values.set(name, usable(evaluate(local.expression, checked.scope).value, checked));
    }
    return values;
  };
  return new Map(modules.map((module) => [module, ofModule(module)]));
}

type Check = (circuit: Circuit, module: ModuleInstance) => CheckedHosts & { readonly scope: Scope };

function hostsChecker(surroundings: Surroundings, schema: ProviderSchema): Check {
  // What is found here is found before anything is known of resources: it is not to be remembered.
  const worldWith = (changed: Partial<Surroundings>): World =>
    createWorld({ ...surroundings, ...changed, fixed: new Map() }, nothingKnown, () => undefined);
  const world = worldWith({});
  const anyTypes = new Map([...surroundings.constraints.keys()].map((variable) => [variable, anyType]));
  const given = worldWith({ variables: surroundings.given, constraints: anyTypes });
  const ssh = schema.provider.blocks.ssh!;
  return ({ hosts }, module) => {
    const scope = world.scope({}, undefined, module);
    const { locals } = module.configuration;
    return {
      ...checkHosts({ hosts, locals, scope, given: given.scope({}, undefined, module), ssh }),
      scope,
    };
  };
}

/** The hosts in one form, with unknown values in place of those that cannot be used. */
function usable({ data }: Value, { unusable }: CheckedHosts): Value {
  const unknown = unknownValue(dynamicType);
  if (!isEntries(data)) return unknown;
  const hosts = [...data].map(([name, host]): [string, Value] => {
    const bad = unusable.get(name);
    if (bad === undefined) return [name, host];
    if (!isEntries(host.data)) return [name, unknown];
    const settings = [...host.data].map(([key, value]): [string, Value] => [
      key,
      bad.has(key) ? unknown : value,
    ]);
    return [name, objectValue(new Map(settings))];
  });
  return objectValue(new Map(hosts));
}
