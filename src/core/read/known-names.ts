/**
 * @module What hosts call objects otherwise than their instances do, as far as this process has read it.
 */
import type { RealNames } from "../../resources/kind.ts";

export interface KnownNames {
  learn(host: string, names: RealNames | undefined): void;
  /** The names of a host, by those that were asked about. */
  of(host: string): RealNames;
  /** One name as the host has it, or as it is where that is not known. */
  real(host: string, name: string): string;
}

export function createKnownNames(): KnownNames {
  const byHost = new Map<string, Record<string, string>>();
  const of = (host: string): RealNames => byHost.get(host) ?? {};
  return {
    learn(host, names) {
      if (names !== undefined) byHost.set(host, Object.assign(byHost.get(host) ?? {}, names));
    },
    of,
    real: (host, name) => of(host)[name] ?? name,
  };
}
