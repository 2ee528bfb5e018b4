/**
 * @module What expressions can refer to: variables, locals, outputs of modules, paths, the instance's own `each` and
 * `count`, and resources as far as they are known in the present phase.
 */
import type { Report } from "../../../diagnostics/report.ts";
import type { Scope } from "../../../eval/scope.ts";
import { isMeaningRoot, resolveMeaning } from "../hosts/host-instances.ts";
import type { ModuleInstance } from "../modules/module-instance.ts";
import { resolveModule } from "../modules/module-outputs.ts";
import { resolveResource } from "../resources/resolve-resource.ts";
import type { Access, ResourceValues } from "../resources/resource-values.ts";
import { resolveVariable } from "../variables/variable-values.ts";
import { resolveLocal } from "./local-values.ts";
import { createFinding } from "./named-values.ts";
import { knownRoots, ofCircuits, onlyInCircuits, resolveOwn, rootNames } from "./own-names.ts";
import type { Self } from "./self.ts";
import type { Surroundings } from "./surroundings.ts";
import { incomplete } from "./unresolved.ts";

export interface World {
  /**
   * @param accesses gets what is looked at
   * @param module whose names they are; default the root module
   */
  scope(self: Self, accesses?: Access[], module?: ModuleInstance): Scope;
}

/**
 * @param report gets what is wrong in locals, in variables and outputs of modules, once for each
 */
export function createWorld(surroundings: Surroundings, resources: ResourceValues, report: Report): World {
  function scope(self: Self, accesses?: Access[], module: ModuleInstance = surroundings.root): Scope {
    return {
      functions: surroundings.functions,
      names: () => [...rootNames(self), ...surroundings.resourceTypes],
      lookup: () => undefined,
      resolve(root, steps) {
        const [first] = steps;
        const elsewhere = surroundings.elsewhere?.(root, steps, module);
        if (elsewhere !== undefined) return elsewhere;
        if (isMeaningRoot(root)) return resolveMeaning(resources, root, steps, module, accesses);
        const isResource = surroundings.resourceTypes.has(root);
        if (ofCircuits.has(root)) return onlyInCircuits(root);
        if (!isResource && !knownRoots.has(root)) return undefined;
        if (root === "self" && self.object !== undefined) return { value: self.object, consumed: 0 };
        if (first === undefined || "index" in first) return incomplete(root);
        const name = "attribute" in first ? first.attribute : first.key;
        if (isResource) return resolveResource(resources, `${root}.${name}`, steps, module, accesses);
        if (root === "var") return resolveVariable(finding, name, module, accesses);
        if (root === "local") return resolveLocal(finding, name, module, accesses);
        if (root === "module") return resolveModule(finding, steps, name, module, accesses);
        return resolveOwn(root, name, self, module, surroundings.workspace);
      },
    };
  }

  const finding = createFinding({ surroundings, scope, report });
  return { scope };
}
