/**
 * @module What the contract suite has to know of a kind: an object to make, an edit of it, and how a person would change it by
 * hand.
 */
import type { PlainObject } from "../../values/plain.ts";

/** One object through its life. Scripts are POSIX sh that somebody independent of the product runs on the host. */
export interface LifeCase {
  readonly type: string;
  /** Distinguishes the rows of one kind. */
  readonly title?: string;
  /** Makes what the object needs to be there before. */
  readonly prepare?: (root: string) => string;
  /** Settings of an object, below `root` where it has a path: a directory on the host that is the test's own. */
  readonly settings: (root: string) => PlainObject;
  /** Which setting must be known while all others are not. */
  readonly known?: string;
  /** The same object edited. Unset: there is nothing to edit. */
  readonly edited?: (root: string) => PlainObject;
  /** Settings of another object that replaces it, after the edit. Unset: nothing makes it another one. */
  readonly another?: (root: string) => PlainObject;
  /** Which setting makes it another object. Default: `known`. */
  readonly anotherBy?: string;
  /** Whether the edit is recorded without anything being done on the host. */
  readonly editedRunsNothing?: boolean;
  /** Why a plan says that the edit is made. Default: the configuration was edited. */
  readonly editedBecause?: "triggers";
  /** Changes the object on the host, and which attributes a read then finds different. */
  readonly drift?: { readonly script: (root: string) => string; readonly paths: readonly string[] };
  /** Succeeds when the object is as `settings` say, and not after the edit. Unset: it changes nothing on the host. */
  readonly proof?: (root: string) => string;
  /** Removes the object by hand. Unset: it is of a kind that cannot vanish. */
  readonly vanish?: (root: string) => string;
  /** Whether removing what Conn3x made leaves it on the host, unless `on_remove` says otherwise. */
  readonly staysWhenRemoved?: boolean;
  /** Whether a refresh asks the host nothing. */
  readonly isNeverRead?: boolean;
}
