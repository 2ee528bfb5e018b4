/**
 * @module The result of an apply, as data.
 */
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { Value } from "../values/value.ts";

export interface ApplyOutcome {
  readonly created: number;
  readonly updated: number;
  readonly replaced: number;
  /** Old halves of replacements that failed, too. */
  readonly deleted: number;
  /** Instances that ended while what they stand for stays on its host. Absent: none is known. */
  readonly kept?: number;
  /** Instances that were taken over. Absent: none is known. */
  readonly imported?: number;
  readonly failed: readonly FailedInstance[];
  /** Addresses of instances that were not reached because something before them failed or the run was stopped. */
  readonly notDone: readonly string[];
  /** The outputs as stored after the apply. Sensitive ones are marked. */
  readonly outputs: ReadonlyMap<string, Value>;
  readonly diagnostics: readonly Diagnostic[];
}

/** Whether everything that was planned is done. */
export const isComplete = ({ failed, notDone }: ApplyOutcome): boolean =>
  failed.length === 0 && notDone.length === 0;

export interface FailedInstance {
  readonly address: string;
  readonly host: string | undefined;
  readonly member: string | undefined;
  /** One line. */
  readonly reason: string;
}
