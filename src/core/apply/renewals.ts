/**
 * @module Services that a run has restarted or started with nothing done on their host since: they need no reload, and
 * those that a step has started no restart either.
 */
import type { Renewal } from "../../resources/kind.ts";

export interface Renewals {
  /**
   * Does something on a host.
   *
   * @param renewal what of the host reads everything anew by it; undefined where it changes anything else there
   */
  during<T>(host: string, renewal: Renewal | undefined, work: () => Promise<T>): Promise<T>;
  /** Whether it would do again what was done, and nothing is there that it could bring. */
  isSuperfluous(host: string, renewal: Renewal | undefined): boolean;
  /** A number that grows by whatever is begun or ended on a host by {@link during}, without a renewal. */
  changes(host: string): number;
  /**
   * Takes down that a step has started what had not been running.
   *
   * @param before the changes there were before it was seen not to run
   */
  started(host: string, what: string, before: number): void;
  /** Whether it was started by a step, with nothing else done on the host since it was seen not to run. */
  isFresh(host: string, renewal: Renewal | undefined): boolean;
}

interface Host {
  /** How often anything else was begun or ended there. */
  changes: number;
  /** What has read everything, and the changes that there were when it began to. */
  readonly renewed: Map<string, number>;
  /** What was started, and the changes that there were when it was. */
  readonly started: Map<string, number>;
}

/** A step is begun and ended once. */
const ofOneStep = 2;

export function createRenewals(): Renewals {
  const hosts = new Map<string, Host>();
  const at = (name: string): Host => {
    const host: Host = hosts.get(name) ?? { changes: 0, renewed: new Map(), started: new Map() };
    hosts.set(name, host);
    return host;
  };
  return {
    async during(name, renewal, work) {
      const host = at(name);
      if (renewal === undefined) {
        host.changes++;
        try {
          return await work();
        } finally {
          host.changes++;
        }
      }
      const before = host.changes;
      const result = await work();
      if (renewal.wholly) host.renewed.set(renewal.what, before);
      return result;
    },
    isSuperfluous(name, renewal) {
      if (renewal === undefined || renewal.wholly) return false;
      const { renewed, changes } = at(name);
      return renewed.get(renewal.what) === changes;
    },
    changes: (name) => at(name).changes,
    started(name, what, before) {
      const { changes, started } = at(name);
      if (changes === before + ofOneStep) started.set(what, changes);
    },
    isFresh(name, renewal) {
      const { changes, started } = at(name);
      return renewal !== undefined && started.get(renewal.what) === changes;
    },
  };
}
