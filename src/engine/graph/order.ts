/**
 * @module Dependency order of named things: topological order, cycles, and reachability.
 */

/** For each name the names that it directly depends on. Names that are no key themselves are passed over. */
export type Dependencies = ReadonlyMap<string, readonly string[]>;

export interface Order {
  /** Dependencies first; otherwise in the order of the map. */
  readonly names: readonly string[];
  /** The first cycle found: each name depends on the next, the last one on the first. */
  readonly cycle: readonly string[] | undefined;
}

/**
 * Depth first. Where there is a cycle, the dependency that closes it is left out of account, so that an order exists
 * nevertheless.
 */
export function dependencyOrder(dependencies: Dependencies): Order {
  const names: string[] = [];
  const begun = new Set<string>();
  const done = new Set<string>();
  let cycle: readonly string[] | undefined;
  for (const root of dependencies.keys()) {
    if (done.has(root)) continue;
    const path: { readonly name: string; next: number }[] = [{ name: root, next: 0 }];
    begun.add(root);
    while (path.length > 0) {
      const at = path.at(-1)!;
      const dependency = dependencies.get(at.name)![at.next++];
      if (dependency === undefined) {
        path.pop();
        done.add(at.name);
        names.push(at.name);
      } else if (!dependencies.has(dependency) || done.has(dependency)) {
        // Nothing to wait for, or waited for already.
      } else if (begun.has(dependency)) {
        const members = path.map(({ name }) => name);
        cycle ??= members.slice(members.indexOf(dependency));
      } else {
        begun.add(dependency);
        path.push({ name: dependency, next: 0 });
      }
    }
  }
  return { names, cycle };
}

/** For each name everything that it depends on, directly or not. Without cycles. */
export function transitive(dependencies: Dependencies): ReadonlyMap<string, ReadonlySet<string>> {
  const all = new Map<string, Set<string>>();
  for (const name of dependencyOrder(dependencies).names) {
    const set = new Set<string>();
    for (const dependency of dependencies.get(name)!) {
      if (!dependencies.has(dependency)) continue;
      set.add(dependency);
      for (const further of all.get(dependency) ?? []) set.add(further);
    }
    all.set(name, set);
  }
  return all;
}
