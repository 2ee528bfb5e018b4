/**
 * @module References to resources: to one instance, or to all of them.
 */
import type { Resolution } from "../../../eval/scope.ts";
import { inModule } from "../../../values/address.ts";
import type { PathStep } from "../../../values/path.ts";
import type { ModuleInstance } from "../modules/module-instance.ts";
import { missing, noSuchInstance } from "../names/unresolved.ts";
import { instanceKey } from "./instance-key.ts";
import type { Access, ResourceValues } from "./resource-values.ts";

export function resolveResource(
  resources: ResourceValues,
  local: string,
  steps: readonly PathStep[],
  module: ModuleInstance,
  accesses: Access[] | undefined,
): Resolution {
  if (!module.resources.has(local)) return missing("resource", local, module.resources);
  const address = inModule(module.address, local);
  const shape = resources.shape(address);
  const key = shape === "single" || shape === "unknown" ? undefined : instanceKey(shape, steps[1]);
  if (shape === "single" || key === undefined) {
    accesses?.push({ resource: address, of: shape === "single" ? "one" : "all", key: undefined });
    return { value: resources.whole(address), consumed: 1 };
  }
  const value = resources.instance(address, key);
  if (value === undefined) return noSuchInstance(address, key);
  accesses?.push({ resource: address, of: "one", key });
  return { value, consumed: 2 };
}
