/**
 * @module The provider's calls, as both engines make them: the embedded engine in process, OpenTofu and Terraform
 * through `provider/`. The calls follow the plugin protocol's semantics, so that nothing is decided twice.
 *
 * Values have no marks here: callers remove them before and add them again afterwards (the protocol does not transmit
 * them). `private` is opaque to callers, who store it with the instance and pass it on.
 */
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { RealNames } from "../resources/kind.ts";
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
  /** The configured `ssh` block, if known: used for logging in instead of the stored one. */
  readonly login?: Value;
  /** Sensitive paths of `current` in addition to those of the schema. Only callers that know the marks can give them. */
  readonly sensitivePaths?: readonly Path[];
}

export interface ReadResponse {
  /** The object on the host, or null (of the schema's type) when it is certainly gone. */
  readonly state: Value;
  readonly private: Uint8Array;
  /** Warnings when the host does not answer: `state` is then the stored object. */
  readonly diagnostics: readonly Diagnostic[];
  /** For an object that is gone: whether another machine has the host's address now. Absent: no. */
  readonly rebuilt?: boolean;
  /** Whether the host did not answer, so that `state` is the stored object. Absent: no. */
  readonly unread?: true;
  /** What the host calls the object, where that is another name than the stored one. */
  readonly realNames?: RealNames;
}

export interface PlanRequest {
  readonly type: string;
  /** The stored object after a read; null when there is none. */
  readonly prior: Value;
  /** The configured object: unset attributes are null, some may be unknown; null for a destroy. */
  readonly config: Value;
  /**
   * Stored with the prior object. For a create it is empty, or what the plan of a run that was interrupted while creating the
   * object had answered: an existing object is then not taken for somebody else's.
   */
  readonly priorPrivate: Uint8Array;
  /**
   * Whether an earlier run was interrupted while updating the object: the host may be as wanted already, and the
   * revision is renewed all the same, so that dependents do not miss the change.
   */
  readonly unsettled?: boolean;
  /** Instances that it refers to and that this plan updates or replaces, sorted. Absent when the caller does not know. */
  readonly dependencies?: readonly DependencyChange[];
  /** Sensitive paths of `config` in addition to those of the schema. Only callers that know the marks can give them. */
  readonly sensitivePaths?: readonly Path[];
  /** For a destroy: the configured `ssh` block, if known, as in {@link ApplyRequest.login}. */
  readonly login?: Value;
  /** For a destroy: whether the object is only to be forgotten, whatever it says itself. Absent: no. */
  readonly forgets?: boolean;
  /** For a destroy: whether the caller may plan others later, so that not all that goes is known yet. Absent: no. */
  readonly mayFollow?: boolean;
}

export interface PlanResponse {
  readonly planned: Value;
  /** If not empty, the caller destroys and creates; it then plans again with a null prior. */
  readonly requiresReplace: readonly Path[];
  readonly private: Uint8Array;
  readonly diagnostics: readonly Diagnostic[];
  readonly decision: Decision;
  /** Whether the host did not answer, so that this was planned without reading it. Absent: no. */
  readonly unseen?: boolean;
  /** What the host calls the object, where it was looked at for the plan and that is another name than the planned one. */
  readonly realNames?: RealNames;
}

export interface ExistingRequest {
  readonly type: string;
  /** The configured object as for the plan; wholly known. */
  readonly config: Value;
  /** The answer of the plan. */
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
  /** The instance's name in every run, if the caller knows it: commands that an earlier run left running are found by it. */
  readonly instance?: string;
  /** The configured `ssh` block, if known: used for logging in instead of the stored one to delete something. */
  readonly login?: Value;
  /**
   * Whether a part of the object is sensitive in addition to its schema: output of the host and of the user's commands
   * may then have it, and is left out of diagnostics. Only callers that know the marks can say so; absent: no.
   */
  readonly sensitive?: boolean;
  /** Sensitive paths of `planned`, for a delete of `prior`, in addition to those of the schema: for logs. */
  readonly sensitivePaths?: readonly Path[];
  /**
   * For an update: the changes that led to it, now with every value known; those that were unknown then are always in it.
   * Absent when the caller does not know: the edits are then determined again, and no dependencies are known.
   */
  readonly update?: {
    readonly changes: readonly PropertyChange[];
    readonly dependencies: readonly DependencyChange[];
    /** As in {@link PlanRequest.sensitivePaths}. */
    readonly sensitivePaths: readonly Path[];
  };
  /**
   * For a create: private data of an old object of the instance that is the same object on its host and was not deleted before.
   * Whoever made that has also made this one.
   */
  readonly takesOver?: Uint8Array;
  /**
   * Whether the caller has checked that the host is still as planned (P5). Absent: no, and as long as nothing was
   * written on the host it is checked.
   */
  readonly checked?: boolean;
  /** From the plan (embedded engine), or from the second plan that the protocol makes at apply. */
  readonly plannedPrivate: Uint8Array;
}

export interface ApplyResponse {
  /**
   * Without errors: the new object, wholly known; null after a delete. With errors: what exists now (null: nothing
   * was created, or the deletion is complete), which the caller records; a failed create that returns an object is tainted.
   */
  readonly state: Value;
  readonly private: Uint8Array;
  readonly diagnostics: readonly Diagnostic[];
  /** For a delete: whether the object was left on the host after all. Absent: no. */
  readonly kept?: boolean;
}

export interface ImportedInstance {
  readonly type: string;
  readonly state: Value;
  readonly private: Uint8Array;
}

/** What exists where an object is to be created, and what creating it would remove. */
export type Existing = Pick<Decision, "found" | "removing">;

/** One configured provider. Calls may run concurrently; requests to one host in the same tick are sent together. */
export interface Provider {
  readonly schema: ProviderSchema;
  /** What keeps the schema from being complete: errors, as a plug-in that cannot be loaded. */
  readonly problems?: readonly Diagnostic[];
  /** Checks everything that needs no host. Accepts unknown values. */
  validateProviderConfig(config: Value): readonly Diagnostic[];
  /** Must be called before read, plan, apply. `config` has the provider schema's type. */
  configure(config: Value): readonly Diagnostic[];
  /** Checks everything that needs no host. Accepts unknown values. */
  validateResourceConfig(type: string, config: Value): readonly Diagnostic[];
  /** Converts a stored object (JSON text of any schema version) to a value of the current schema. */
  upgradeState(
    type: string,
    version: number,
    json: string,
  ): { readonly value?: Value; readonly diagnostics: readonly Diagnostic[] };
  readResource(request: ReadRequest): Promise<ReadResponse>;
  planResource(request: PlanRequest): Promise<PlanResponse>;
  /**
   * What exists now where an object is planned to be created. Nothing is decided, and what cannot be read counts as
   * nothing. Asks the host what a plan would ask, once more (P5).
   */
  lookForExisting(request: ExistingRequest): Promise<Existing>;
  applyResource(request: ApplyRequest): Promise<ApplyResponse>;
  /** @param login the `ssh` object of the instance to import, without marks, if the engine knows it */
  importResource(
    type: string,
    id: string,
    login?: Value,
  ): Promise<{ readonly imported: readonly ImportedInstance[]; readonly diagnostics: readonly Diagnostic[] }>;
  /** Asks running calls to end cleanly; nothing new starts. */
  stop(): void;
  /** Closes all connections. */
  close(): Promise<void>;
}
