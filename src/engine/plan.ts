/**
 * @module A plan of the embedded engine as data, to be shown, saved and carried out.
 */

import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { Decision } from "../revision/decision.ts";
import type { InstanceKey } from "../values/address.ts";
import type { Value } from "../values/value.ts";
import type { ConfiguredCheck } from "./state/check-results.ts";

export interface Plan {
  readonly mode: "normal" | "destroy" | "refresh-only";
  /** Whether the run is about a part of the configuration only (`-target`, `-limit` …): the rest stays as it is stored. */
  readonly isPartial?: boolean;
  /** Every instance, unchanged ones included: deletes first (dependents first), then the rest in dependency order. */
  readonly changes: readonly PlannedChange[];
  readonly outputs: readonly OutputChange[];
  /** Warnings: hosts that did not answer, and the like. A plan with errors is not made. */
  readonly diagnostics: readonly Diagnostic[];
  /** Whether a refresh found something on the hosts that the state did not say. */
  readonly stateChanged: boolean;
  /** What is given to the root module, sensitive values marked. */
  readonly variables?: ReadonlyMap<string, Value>;
  /**
   * What checks and conditions come to, all that are configured: those that were not looked at, since the plan is about a
   * part or everything ends, are unknown.
   */
  readonly checks?: readonly ConfiguredCheck[];
  /** What `timestamp()` gives in it. */
  readonly planTime?: Date;
}

/** How the state has an instance besides its object. */
export interface PriorInstance {
  readonly schemaVersion: number;
  readonly tainted: boolean;
  /** Addresses of resources. */
  readonly dependencies: readonly string[];
}

export interface PlannedChange {
  /** `conn3x_file.web__config["web1"]` */
  readonly address: string;
  readonly type: string;
  readonly name: string;
  readonly key: InstanceKey;
  /** Of the circuit that made it, with its module: `web`, `module.a["x"].web`. */
  readonly circuit: string | undefined;
  /** Step's or handler's name in its circuit. */
  readonly member: string | undefined;
  readonly role: "step" | "handler" | undefined;
  /** Name of the host in its circuit; undefined for a resource outside circuits. */
  readonly host: string | undefined;
  /** Its key in the step's own `for_each`. Absent: the step has none. */
  readonly ownKey?: string;
  /**
   * Of an old object that a replacement has left behind and that is to be deleted: which one of the instance, as the
   * state has it. Absent: the change is that of the instance itself.
   */
  readonly deposed?: string;
  readonly decision: Decision;
  /** Of a replacement: addresses of instances that refer to it and that this plan updates or replaces. Absent: none. */
  readonly dependants?: readonly string[];
  /** How its resource is configured to have instances; absent for what is not configured. */
  readonly repetition?: "single" | "count" | "each";
  /** The address that it is stored at, when a `moved` block gave it this one. */
  readonly movedFrom?: string;
  /** The id that it is imported by, when an `import` block asks for that and it is in no state yet. */
  readonly importing?: string;
  /**
   * Whether its host was not read, so that what is stored stands for it, and what is to be made was planned without
   * looking. Absent: it was.
   */
  readonly unread?: boolean;
  /** Whether it was to be read and could not be: nothing is known about it. Absent: it was read, or was not to be. */
  readonly unreached?: boolean;
  /** The stored instance; absent where none is stored. */
  readonly prior?: PriorInstance;
  /** The object as it was before the read, where that found another. */
  readonly stored?: Value;
  /** Stored object as the read left it; a null value for a create. Sensitive parts are marked. */
  readonly before: Value;
  /** Planned object, unknown inside where not known yet; a null value for a delete. Sensitive parts are marked. */
  readonly after: Value;
}

export interface OutputChange {
  readonly name: string;
  readonly before: Value | undefined;
  readonly after: Value | undefined;
  readonly sensitive: boolean;
}

/** Whether an apply of this plan would do anything, if only in the state. */
export const planHasChanges = (plan: Plan): boolean =>
  (plan.mode === "refresh-only" && plan.stateChanged) ||
  plan.changes.some(
    ({ decision, movedFrom, importing }) =>
      decision.action !== "none" || movedFrom !== undefined || importing !== undefined,
  ) ||
  plan.outputs.some((output) => output.before !== output.after);
