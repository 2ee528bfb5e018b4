/**
 * @module What a plan decided about one instance, and why: plain data that both engines, the JSON plan and the
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

/** What a resource kind answers when it is asked whether something is to be done (X1). */
export type ChangeAnswer = "none" | "update" | "replace";

export type Action = "none" | "create" | "update" | "replace" | "delete";

export type ReasonKind =
  /** Not in state yet. */
  | "create"
  /** The configuration was edited. */
  | "config"
  /** The host differs from what was last applied; it is put back. */
  | "drift"
  /** What the resource stands for is not on the host any more. */
  | "gone"
  | "dependency_updated"
  | "dependency_replaced"
  /** A trigger changed or will change. */
  | "triggers"
  /** Of a handler: it has not run since its steps last changed. */
  | "pending"
  /** A setting that says which object it is changed. */
  | "identity"
  | "cannot_update"
  | "last_apply_failed"
  /** `-replace` */
  | "requested"
  /** An old object whose replacement was made, and that is still there. */
  | "deposed"
  /** Not in the configuration any more. */
  | "removed"
  | "host_removed"
  | "unknown_input"
  /** `destroy` */
  | "destroy";

export interface Reason {
  readonly kind: ReasonKind;
  readonly paths?: readonly Path[];
  readonly dependencies?: readonly string[];
  /** Of what is gone: whether its host is another machine now. */
  readonly rebuilt?: true;
  /** Of what the configuration wants otherwise: whether that is since an import, and nobody edited it. */
  readonly imported?: true;
}

/**
 * Its kind stands for no object on the host, `on_remove` says so, its kind is kept unless `on_remove` says otherwise, it
 * was there before Conn3x (or may have been), it belongs to another address as well, what takes its place is the same
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
  /** What the person edited: last applied against configured. */
  readonly edits: readonly PropertyChange[];
  /** What changed on the host since the last apply: last applied (`before`) against observed (`after`). */
  readonly drift: readonly PropertyChange[];
  /**
   * Of a create, where the host could be looked at: whether the object is there already, as wanted or otherwise. It is
   * taken over then, and kept when the instance is removed.
   */
  readonly found?: "as_wanted" | "different";
  /** Of a create that removes something else which is there: a hash of the names. The plan showed these and no others. */
  readonly removing?: string;
  /** Of a delete or a replacement: why what is on the host stays there. Absent where it is removed. */
  readonly keeps?: KeptBecause;
  /** Of a replacement: whether the new object is made before the old one is deleted. Absent: it is deleted first. */
  readonly createFirst?: boolean;
  /** Settings that force a replacement. */
  readonly requiresReplace: readonly Path[];
  /** Of an update or a replacement: what the instance refers to and changes as well; sorted. Absent: nothing, or not known. */
  readonly dependencies?: readonly DependencyChange[];
}
