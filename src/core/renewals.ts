/**
 * @module Services that a run has restarted with nothing done on their host since: they need no reload.
 */
import type { Renewal } from "../resources/kind.ts";

export interface Renewals {
  /**
   * Does something on a host.
   *
   * @param renewal what of the host reads everything anew by it; undefined where it changes anything else there
   */
  during<T>(host: string, renewal: Renewal | undefined, work: () => Promise<T>): Promise<T>;
  /** Whether it would do again what was done, and nothing is there that it could bring. */
  isSuperfluous(host: string, renewal: Renewal | undefined): boolean;
}

interface Host {
  /** How often anything else was begun or ended there. */
  changes: number;
  /** What has read everything, and the changes that there were when it began to. */
  readonly renewed: Map<string, number>;
}

export function createRenewals(): Renewals {
  const hosts = new Map<string, Host>();
  const at = (name: string): Host => {
    const host = hosts.get(name) ?? { changes: 0, renewed: new Map<string, number>() };
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
  };
}
