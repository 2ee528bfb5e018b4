/**
 * @module Keeps count of what an apply did.
 */
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { PlannedInstance } from "../decide/planned-instance.ts";
import type { ApplyOutcome, FailedInstance } from "../run.ts";

export class OutcomeCounter {
  readonly #counts = { created: 0, updated: 0, replaced: 0, deleted: 0 };
  readonly #failed: FailedInstance[] = [];
  readonly #notDone: string[] = [];
  readonly #diagnostics: Diagnostic[] = [];

  count(what: "created" | "updated" | "replaced" | "deleted"): void {
    this.#counts[what]++;
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
      failed: this.#failed,
      notDone: this.#notDone,
      outputs,
      diagnostics: this.#diagnostics,
    };
  }
}
