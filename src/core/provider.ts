/**
 * @module The provider's calls, as both engines make them: the embedded engine in process, OpenTofu and Terraform
 * through `provider/`. The calls follow the plugin protocol's semantics, so that nothing is decided twice.
 *
 * Values carry no marks here: who calls removes them before and puts them back after (the protocol does not transmit
 * them). `private` is opaque to callers: store it with the instance and hand it back.
 */
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { Decision, DependencyChange, PropertyChange } from "../revision/decision.ts";
import type { BlockSchema, ResourceSchema } from "../schema/schema.ts";
import type { Path } from "../values/path.ts";
import type { Value } from "../values/value.ts";

export interface ProviderSchema {
  readonly provider: BlockSchema;
  /** By type name: `conn3x_file`. */
  readonly resources: ReadonlyMap<string, ResourceSchema>;
}

export interface ReadRequest {
  readonly type: string;
  /** The stored object: of the schema's type, never null. */
  readonly current: Value;
  readonly private: Uint8Array;
  /** Where known: the configured `ssh` block, used for logging in instead of the stored one. */
  readonly login?: Value;
  /** Places of `current` that are sensitive beyond what the schema says. Only who knows the marks can tell. */
  readonly sensitivePaths?: readonly Path[];
}

export interface ReadResponse {
  /** The object as the host has it, or null (of the schema's type) when it is positively gone. */
  readonly state: Value;
  readonly private: Uint8Array;
  /** Warnings when the host does not answer: `state` is then the stored object. */
  readonly diagnostics: readonly Diagnostic[];
  /** Of one that is gone: whether another machine is at its host's address now. Absent: no. */
  readonly rebuilt?: boolean;
  /** Whether the host was asked and did not say, so that `state` is what is stored. Absent: no. */
  readonly unread?: true;
}

export interface PlanRequest {
  readonly type: string;
  /** The stored object after a read; null when there is none. */
  readonly prior: Value;
  /** The configured object: unset attributes null, not yet known ones unknown; null for a destroy. */
  readonly config: Value;
  /**
   * Stored with the prior object. Of a create it is empty, or what the plan of a run that was cut off while it made the
   * object had answered: what is there now is then not taken for somebody else's.
   */
  readonly priorPrivate: Uint8Array;
  /**
   * Whether an earlier run had begun to update the object and was cut off: the host may look as wanted already, and the
   * revision is renewed all the same, so that nothing that depends on the change is lost.
   */
  readonly unsettled?: boolean;
  /** What the instance refers to and this plan updates or replaces, sorted. Absent where the caller cannot tell. */
  readonly dependencies?: readonly DependencyChange[];
  /** Places of `config` that are sensitive beyond what the schema says. Only who knows the marks can tell. */
  readonly sensitivePaths?: readonly Path[];
}

export interface PlanResponse {
  readonly planned: Value;
  /** When not empty the caller destroys and creates; it then plans once more with a null prior. */
  readonly requiresReplace: readonly Path[];
  readonly private: Uint8Array;
  readonly diagnostics: readonly Diagnostic[];
  readonly decision: Decision;
  /** Whether the host did not answer, so that this was planned without looking. Absent: no. */
  readonly unseen?: boolean;
}

export interface InPlaceRequest {
  readonly type: string;
  /** As the plan was asked for; wholly known. */
  readonly config: Value;
  /** As the plan answered. */
  readonly planned: Value;
}

export interface ApplyRequest {
  readonly type: string;
  /** Null to create. */
  readonly prior: Value;
  /** Null to delete. */
  readonly planned: Value;
  /** Null to delete. */
  readonly config: Value;
  /** What the instance is called in every run, where the caller knows: by it a command is found that a run left running. */
  readonly instance?: string;
  /** Where known: the configured `ssh` block, used for logging in instead of the stored one when something is deleted. */
  readonly login?: Value;
  /**
   * Whether a part of the object is sensitive beyond what its schema says: what the host and the user's commands answer
   * may then hold it, and is left out of diagnostics. Only who knows the marks can tell; absent: no.
   */
  readonly sensitive?: boolean;
  /** Places of `planned`, of a delete those of `prior`, that are sensitive beyond what the schema says: for logs. */
  readonly sensitivePaths?: readonly Path[];
  /**
   * Of an update: what was decided by, now with every value known; what was not known then is in it whatever it came to.
   * Absent where the caller cannot tell: the edits are then worked out again, and no dependencies are known.
   */
  readonly update?: {
    readonly changes: readonly PropertyChange[];
    readonly dependencies: readonly DependencyChange[];
    /** As in {@link PlanRequest.sensitivePaths}. */
    readonly sensitivePaths: readonly Path[];
  };
  /**
   * Of a create: private data of an old object of the instance that is the same one on its host and is not deleted before.
   * Who made that has made this one, too.
   */
  readonly takesOver?: Uint8Array;
  /**
   * Whether the caller has seen that the host is still as the plan saw it (P5). Absent: no, and as long as nothing was
   * written on the host it is looked at.
   */
  readonly checked?: boolean;
  /** From the plan (embedded engine), or from the second plan that the protocol makes at apply. */
  readonly plannedPrivate: Uint8Array;
}

export interface ApplyResponse {
  /**
   * Without errors: the new object, wholly known; null after a delete. With errors: what is now there (null: nothing
   * was made, or the deletion is complete), which the caller records; a failed create that returns an object is tainted.
   */
  readonly state: Value;
  readonly private: Uint8Array;
  readonly diagnostics: readonly Diagnostic[];
  /** Of a delete: whether what is on the host was left there after all. Absent: no. */
  readonly kept?: boolean;
}

export interface ImportedInstance {
  readonly type: string;
  readonly state: Value;
  readonly private: Uint8Array;
}

/** One configured provider. Calls may run side by side; what is asked of one host in the same tick travels together. */
/** What stands where an object is to be made, and what of it would go. */
export type InPlace = Pick<Decision, "found" | "removing">;

export interface Provider {
  readonly schema: ProviderSchema;
  /** Everything that can be said without a host. Accepts unknown values. */
  validateProviderConfig(config: Value): readonly Diagnostic[];
  /** Must be called before read, plan, apply. `config` has the provider schema's type. */
  configure(config: Value): readonly Diagnostic[];
  /** Everything that can be said without a host. Accepts unknown values. */
  validateResourceConfig(type: string, config: Value): readonly Diagnostic[];
  /** Turns a stored object (JSON text of any schema version) into a value of today's schema. */
  upgradeState(
    type: string,
    version: number,
    json: string,
  ): { readonly value?: Value; readonly diagnostics: readonly Diagnostic[] };
  readResource(request: ReadRequest): Promise<ReadResponse>;
  planResource(request: PlanRequest): Promise<PlanResponse>;
  /**
   * What is now in the place of an object that is planned to be made: nothing is decided, and what cannot be seen counts as
   * nothing. Asks what a plan of it would ask, once more (P5).
   */
  lookInPlace(request: InPlaceRequest): Promise<InPlace>;
  applyResource(request: ApplyRequest): Promise<ApplyResponse>;
  /** @param login the `ssh` object of the instance that it becomes, without marks, where an engine knows it */
  importResource(
    type: string,
    id: string,
    login?: Value,
  ): Promise<{ readonly imported: readonly ImportedInstance[]; readonly diagnostics: readonly Diagnostic[] }>;
  /** Asks what is in flight to end cleanly: nothing new starts. */
  stop(): void;
  /** Closes all connections. */
  close(): Promise<void>;
}
