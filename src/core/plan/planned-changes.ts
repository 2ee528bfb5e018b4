/**
 * @module What a run plans to change on each host: what one step needs there, another may provide.
 */
export interface PlannedChanges {
  /** @param instance distinguishes the instances of a host, and is the same whenever one is planned again */
  add(host: string, instance: string): void;
  /** Whether anything else is to change on the host. */
  hasOthers(host: string, instance: string): boolean;
}

export function createPlannedChanges(): PlannedChanges {
  const byHost = new Map<string, Set<string>>();
  return {
    add(host, instance) {
      const changes = byHost.get(host) ?? new Set();
      byHost.set(host, changes.add(instance));
    },
    hasOthers(host, instance) {
      const changes = byHost.get(host) ?? new Set();
      return changes.size > (changes.has(instance) ? 1 : 0);
    },
  };
}
