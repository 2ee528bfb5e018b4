/**
 * @module The order of deletions: the reverse of the order of creation.
 */

import { groupBy } from "../../../values/group-by.ts";
import type { Loaded } from "../../evaluate/load.ts";
import { type Dependencies, dependencyOrder } from "../../graph/order.ts";
import { storedDependencies } from "../../state/stored-dependencies.ts";
import type { PlannedInstance } from "../planned-instance.ts";

/** The instances with dependents first. */
export function destroyOrder(
  instances: readonly PlannedInstance[],
  loaded: Loaded,
): readonly PlannedInstance[] {
  const byResource = groupByResource(instances);
  return destroyedResources(byResource, loaded).flatMap((resource) => byResource.get(resource)!);
}

/** For each resource that is to lose instances the resources that must lose theirs before. */
export function destroyDependencies(
  byResource: ReadonlyMap<string, readonly PlannedInstance[]>,
  loaded: Loaded,
): Dependencies {
  const order = destroyedResources(byResource, loaded);
  const place = new Map(order.map((resource, i) => [resource, i]));
  const before = new Map<string, string[]>(order.map((resource) => [resource, []]));
  for (const [resource, dependencies] of whatCameBefore(byResource, loaded)) {
    for (const dependency of dependencies) {
      // Where state and configuration contradict each other, the order has decided.
      if ((place.get(dependency) ?? -1) > place.get(resource)!) before.get(dependency)!.push(resource);
    }
  }
  return before;
}

export const groupByResource = (
  instances: readonly PlannedInstance[],
): ReadonlyMap<string, readonly PlannedInstance[]> => groupBy(instances, ({ resource }) => resource);

const destroyedResources = (
  byResource: ReadonlyMap<string, readonly PlannedInstance[]>,
  loaded: Loaded,
): readonly string[] => [...dependencyOrder(whatCameBefore(byResource, loaded)).names].reverse();

/** As the state remembers it, and as the configuration says now. */
function whatCameBefore(
  byResource: ReadonlyMap<string, readonly PlannedInstance[]>,
  loaded: Loaded,
): Dependencies {
  const dependencies = new Map<string, readonly string[]>();
  const meant = storedDependencies(byResource.keys());
  for (const [resource, instances] of byResource) {
    const all = new Set(loaded.resources.get(resource)?.allAfter);
    const stored = new Set(instances.flatMap(({ existing }) => existing?.stored.dependencies ?? []));
    for (const dependency of stored) for (const name of meant(resource, dependency)) all.add(name);
    dependencies.set(
      resource,
      [...all].filter((name) => byResource.has(name)),
    );
  }
  return dependencies;
}
