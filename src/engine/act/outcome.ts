/**
 * @module Counts what an apply did.
 */
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { ApplyOutcome, FailedInstance } from "../apply-outcome.ts";
import type { PlannedInstance } from "../decide/planned-instance.ts";

export class OutcomeCounter {
  readonly #counts = { created: 0, updated: 0, replaced: 0, deleted: 0, kept: 0, imported: 0 };
  /** Addresses of replacements whose old half is gone from the host, and whose new one is not made. */
  readonly #halves = new Set<string>();
  readonly #failed: FailedInstance[] = [];
  readonly #notDone: string[] = [];
  readonly #diagnostics: Diagnostic[] = [];

  count(what: "created" | "updated" | "deleted" | "kept" | "imported"): void {
    this.#counts[what]++;
  }

  /** The old half of a replacement is gone from its host. */
  removedOld({ subject: { address } }: PlannedInstance): void {
    this.#halves.add(address);
  }

  replaced({ subject: { address } }: PlannedInstance): void {
    this.#counts.replaced++;
    this.#halves.delete(address);
  }

  failed({ subject: { address, host, member } }: PlannedInstance, reason: string): void {
    this.#failed.push({ address, host, member, reason });
  }

  notDone({ subject: { address } }: PlannedInstance): void {
    this.#notDone.push(address);
  }

  said(diagnostics: readonly Diagnostic[]): void {
    this.#diagnostics.push(...diagnostics);
  }

  outcome(outputs: ApplyOutcome["outputs"]): ApplyOutcome {
    return {
      ...this.#counts,
      deleted: this.#counts.deleted + this.#halves.size,
      failed: this.#failed,
      notDone: this.#notDone,
      outputs,
      diagnostics: this.#diagnostics,
    };
  }
}
