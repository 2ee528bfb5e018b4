/**
 * @module What a kind wants done on a host, as plain data: `src/core` carries it out through `src/ssh`.
 */
import type { Script } from "../script/script.ts";

export type Operation = PutOperation | ScriptOperation | Refusal;

/** Puts a whole file in place, atomically and verified. */
export interface PutOperation {
  readonly do: "put";
  readonly path: string;
  readonly content: Buffer;
  readonly mode?: number;
  readonly owner?: string;
  readonly group?: string;
  readonly follow: boolean;
}

/** Runs one of our own scripts. A status other than 0 fails the instance. */
export interface ScriptOperation {
  readonly do: "script";
  readonly script: Script;
  /** What it does, for errors: `create the directory /srv/web`. */
  readonly purpose: string;
  /** Whether it may take long or leave processes behind: it then gets a channel of its own. */
  readonly own: boolean;
  /** Whole sentences: where to look when it fails. */
  readonly advice?: string;
}

/** What is wanted cannot be had, or must not be done: the instance fails and nothing more is done for it. */
export interface Refusal {
  readonly do: "refuse";
  readonly summary: string;
  readonly detail: string;
}
