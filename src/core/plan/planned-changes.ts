/**
 * @module What a run plans to change on each host: what one step needs there, another may provide.
 */
export interface PlannedChanges {
  /** @param instance distinguishes the instances of a host, and is the same whenever one is planned again */
  add(host: string, instance: string): void;
  /** Whether anything else is to change on the host. */
  hasOthers(host: string, instance: string): boolean;
  /** @param names of objects that an instance of a kind is to take away */
  takeAway(host: string, type: string, names: readonly string[]): void;
  /** Names of the objects of a kind that instances take away from the host. */
  takenAway(host: string, type: string): ReadonlySet<string>;
}

export function createPlannedChanges(): PlannedChanges {
  const byHost = new Map<string, Set<string>>();
  const away = new Map<string, Set<string>>();
  return {
    add(host, instance) {
      const changes = byHost.get(host) ?? new Set();
      byHost.set(host, changes.add(instance));
    },
    hasOthers(host, instance) {
      const changes = byHost.get(host) ?? new Set();
      return changes.size > (changes.has(instance) ? 1 : 0);
    },
    takeAway(host, type, names) {
      if (names.length === 0) return;
      const key = `${host} ${type}`;
      away.set(key, new Set([...(away.get(key) ?? []), ...names]));
    },
    takenAway: (host, type) => away.get(`${host} ${type}`) ?? new Set(),
  };
}
