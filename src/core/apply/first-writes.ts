/**
 * @module Which hosts were written on in this run, and which must not be (P5).
 */
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";

export interface FirstWrites {
  /**
   * Something is written on the host now.
   *
   * @returns why nothing may be, where another instance found that while this one was looking
   */
  begin(host: string): Diagnostic | undefined;
  hasBegun(host: string): boolean;
  /** Forbids writing on the host in this run. */
  refuse(host: string, because: Diagnostic): void;
  refusal(host: string): Diagnostic | undefined;
  /** Starts anew for a host that is read for a new plan. */
  startOver(host: string): void;
}

export function createFirstWrites(): FirstWrites {
  const begun = new Set<string>();
  const refused = new Map<string, Diagnostic>();
  return {
    begin(host) {
      const refusal = refused.get(host);
      if (refusal === undefined) begun.add(host);
      return refusal;
    },
    hasBegun: (host) => begun.has(host),
    refuse: (host, because) => void refused.set(host, because),
    refusal: (host) => refused.get(host),
    startOver(host) {
      begun.delete(host);
      refused.delete(host);
    },
  };
}
