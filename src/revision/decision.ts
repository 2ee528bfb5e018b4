/**
 * @module What a plan decides about one instance, and why: plain data that all engines, the JSON plan and the
 * renderer share.
 */
import type { Path } from "../values/path.ts";
import type { Value } from "../values/value.ts";

/**
 * One setting that differs. Lists are compared by position, maps by key; an element that was added or removed is one
 * change with the whole value (`before` or `after` is then undefined).
 */
export interface PropertyChange {
  readonly path: Path;
  readonly before: Value | undefined;
  readonly after: Value | undefined;
}

/** A direct dependency of an instance that the same plan updates or replaces. */
export interface DependencyChange {
  /** `conn3x_file.web__config["web1"]` */
  readonly address: string;
  readonly action: "update" | "replace";
}

/** A kind's answer to whether something has to be done (X1). */
export type ChangeAnswer = "none" | "update" | "replace";

export type Action = "none" | "create" | "update" | "replace" | "delete";

export type ReasonKind =
  /** Not in state yet. */
  | "create"
  /** The configuration was edited. */
  | "config"
  /** The host differs from what was last applied; it is put back. */
  | "drift"
  /** The object is no longer on the host. */
  | "gone"
  | "dependency_updated"
  | "dependency_replaced"
  /** A trigger changed or will change. */
  | "triggers"
  /** For a handler: it has not run since its steps last changed. */
  | "pending"
  /** A setting that identifies the object changed. */
  | "identity"
  | "cannot_update"
  | "last_apply_failed"
  /** `-replace` */
  | "requested"
  /** A deposed object: its replacement was created, and it still exists. */
  | "deposed"
  /** No longer in the configuration. */
  | "removed"
  | "host_removed"
  | "unknown_input"
  /** `destroy` */
  | "destroy";

export interface Reason {
  readonly kind: ReasonKind;
  readonly paths?: readonly Path[];
  readonly dependencies?: readonly string[];
  /** For `gone`: whether the host is another machine now. */
  readonly rebuilt?: true;
  /** For `config`: whether the difference comes from an import, and not from an edit. */
  readonly imported?: true;
}

/**
 * Its kind stands for no object on the host, `on_remove` says so, its kind is kept unless `on_remove` says otherwise, it
 * was there before Conn3x (or may have been), it belongs to another address as well, what replaces it is the same
 * object, its host does not answer any more and is to be forgotten, or a `removed` block asks for it.
 */
export type KeptBecause =
  | "no_object"
  | "on_remove"
  | "default"
  | "there_before"
  | "shared"
  | "same_object"
  | "host_gone"
  | "forgotten";

export interface Decision {
  readonly action: Action;
  /** The first is the main one. Empty for `none`. */
  readonly reasons: readonly Reason[];
  /** Edits: last applied against configured. */
  readonly edits: readonly PropertyChange[];
  /** Changes on the host since the last apply: last applied (`before`) against observed (`after`). */
  readonly drift: readonly PropertyChange[];
  /**
   * For a create, if the host could be read: whether the object exists already, as wanted or otherwise. It is
   * then adopted, and kept when the instance is removed.
   */
  readonly found?: "as_wanted" | "different";
  /** Of a create for which another object is there already: that, with the planned value of whatever is not read. Absent: not known. */
  readonly existing?: Value;
  /** Of a create that removes something else which is there: a hash of the names. The plan showed these and no others. */
  readonly removing?: string;
  /** What it does on the host to objects that it is not about, a line for each: `removes apache2 2.4.57-2`. Absent: nothing, or not known. */
  readonly besides?: readonly string[];
  /** Of a handler's update: whether it runs, since nothing is left that could run a new one. */
  readonly runs?: true;
  /** Of a delete or a replacement: why what is on the host stays there. Absent where it is removed. */
  readonly keeps?: KeptBecause;
  /** Of a replacement: whether the new object is made before the old one is deleted. Absent: it is deleted first. */
  readonly createFirst?: boolean;
  /** Settings that force a replacement. */
  readonly requiresReplace: readonly Path[];
  /** Of an update or a replacement: what the instance refers to and changes as well; sorted. Absent: nothing, or not known. */
  readonly dependencies?: readonly DependencyChange[];
}
