/**
 * @module Instances of modules: the root module, and for each call in one of them as many as its `for_each` or `count`
 * says.
 */

import { join } from "node:path";
import type { Configuration, ModuleCall } from "../../../compiler/index.ts";
import { errorDiagnostic } from "../../../diagnostics/diagnostic.ts";
import { type InstanceKey, inModule, withKey } from "../../../values/address.ts";
import { anySelf, type Self } from "../names/self.ts";
import type { Problems } from "../problems.ts";
import { type Expansion, keysOf, selfOf } from "../resources/expansion.ts";

/** The root module, or one instance of a module that is called. */
export interface ModuleInstance {
  /** `module.a["x"].module.b`; empty for the root module. */
  readonly address: string;
  readonly configuration: Configuration;
  /** Addresses of its resources, seen from it. */
  readonly resources: ReadonlySet<string>;
  /** What `path.module` is: relative to the root module's directory. */
  readonly directory: string;
  /** Undefined for the root module. */
  readonly caller: Caller | undefined;
  /** The instances of a module that it calls; undefined where it calls none of that name, or not a local one. */
  called(name: string): CalledModule | undefined;
}

/** Where a module is called. */
export interface Caller {
  readonly module: ModuleInstance;
  readonly call: ModuleCall;
  /** What `each` and `count` are in the call. */
  readonly self: Self;
}

export interface CalledModule {
  /** `unknown`: which instances there are is not known. One without a key stands for them. */
  readonly expansion: Expansion | "unknown";
  readonly instances: ReadonlyMap<InstanceKey, ModuleInstance>;
}

/** Finds out which instances a call has; undefined where it has errors, which were reported. */
export type ExpandCall = (module: ModuleInstance, call: ModuleCall) => Expansion | "unknown" | undefined;

/** @param expandCall is asked once for each call of each instance, when somebody asks for what is called */
export function rootModule(
  configuration: Configuration,
  expandCall: ExpandCall,
  problems: Problems,
): ModuleInstance {
  const resourcesOf = new Map<Configuration, ReadonlySet<string>>();
  const moduleOf = (
    { address, directory, caller }: Pick<ModuleInstance, "address" | "directory" | "caller">,
    called: Configuration,
  ): ModuleInstance => {
    const resources =
      resourcesOf.get(called) ?? new Set(called.resources.map((resource) => resource.address));
    resourcesOf.set(called, resources);
    const known = new Map<string, CalledModule | undefined>();
    const expanding = new Set<string>();
    const module: ModuleInstance = {
      address,
      directory,
      caller,
      configuration: called,
      resources,
      called(name) {
        if (known.has(name)) return known.get(name);
        const call = called.modules.get(name);
        if (call?.configuration === undefined) return undefined;
        if (expanding.has(name)) {
          problems.report(needsItself(call));
          return undefined;
        }
        expanding.add(name);
        const expansion = expandCall(module, call);
        const found = expansion && instancesOf(module, call, call.configuration, expansion);
        known.set(name, found);
        return found;
      },
    };
    return module;
  };
  function instancesOf(
    module: ModuleInstance,
    call: ModuleCall,
    called: Configuration,
    expansion: Expansion | "unknown",
  ): CalledModule {
    const directory = relativeDirectory(module.directory, call.source ?? ".");
    const instances = new Map<InstanceKey, ModuleInstance>();
    for (const key of expansion === "unknown" ? [undefined] : keysOf(expansion)) {
      const address = inModule(module.address, `module.${withKey(call.name, key)}`);
      const self = expansion === "unknown" ? anySelf : selfOf(expansion, key);
      instances.set(key, moduleOf({ address, directory, caller: { module, call, self } }, called));
    }
    return { expansion, instances };
  }
  // As in OpenTofu: relative file names start in the configuration's directory, from wherever it was called.
  return moduleOf({ address: "", directory: ".", caller: undefined }, configuration);
}

/** All instances, the root module first, callers before what they call. */
export function* moduleInstances(root: ModuleInstance): Iterable<ModuleInstance> {
  yield root;
  for (const name of root.configuration.modules.keys()) {
    for (const instance of root.called(name)?.instances.values() ?? []) yield* moduleInstances(instance);
  }
}

/** The directory as OpenTofu spells it: `modules/web`, `../shared`. */
const relativeDirectory = (from: string, source: string): string => join(from, source).replace(/\/$/, "");

const needsItself = ({ name, range, forEach, count }: ModuleCall) =>
  errorDiagnostic(
    "Modules depend on each other in a cycle",
    `Which instances module "${name}" has depends on what it gives itself.`,
    { range: forEach ?? count ?? range },
  );
