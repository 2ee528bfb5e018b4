/**
 * @module The embedded engine's entry points: plan, and apply what was planned.
 */
import type { Configuration } from "../compiler/model.ts";
import type { Provider } from "../core/provider.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { EventSink } from "./event.ts";
import type { Plan } from "./plan.ts";

export interface RunOptions {
  readonly configuration: Configuration;
  readonly provider: Provider;
  /** Raw values of variables in order of precedence, lowest first; see {@link VariableInput}. */
  readonly variables: readonly VariableInput[];
  /** Path of the state file: `terraform.tfstate` in the configuration's directory unless told otherwise. */
  readonly statePath: string;
  readonly mode: Plan["mode"];
  /** False: nothing is read from hosts (C12). */
  readonly refresh: boolean;
  /** Wait this many milliseconds for a lock that somebody else holds. */
  readonly lockTimeout: number;
  readonly events: EventSink;
  /** Instances acted on at once. */
  readonly parallelism: number;
  /** Aborted by the first ^C: what runs finishes, nothing new starts. */
  readonly signal?: AbortSignal;
}

/** A value given from outside. */
export interface VariableInput {
  readonly name: string;
  readonly text: string;
  /**
   * How `text` is to be read. Absent or `raw`: from `-var` or `TF_VAR_`; a string for a variable of a primitive type
   * or none, else an expression. `expression`: HCL source from a variables file, whatever the variable's type.
   */
  readonly form?: "raw" | "expression";
  /** For messages: `-var`, `TF_VAR_workers`. */
  readonly source: string;
}

/** Holds the state's lock from planning until {@link close}. */
export interface Run {
  /** Undefined when there were errors. */
  readonly plan: Plan | undefined;
  readonly diagnostics: readonly Diagnostic[];
  /** Acts on the plan. State is saved as work completes. Call at most once. */
  apply(): Promise<ApplyOutcome>;
  /** Releases the lock; does not close the provider. */
  close(): Promise<void>;
}

export interface ApplyOutcome {
  readonly created: number;
  readonly updated: number;
  readonly replaced: number;
  readonly deleted: number;
  readonly failed: readonly FailedInstance[];
  /** Addresses of instances that were not reached because something before them failed or the run was stopped. */
  readonly notDone: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface FailedInstance {
  readonly address: string;
  readonly host: string | undefined;
  readonly member: string | undefined;
  /** One line. */
  readonly reason: string;
}
