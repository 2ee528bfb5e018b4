/**
 * @module The interface of a run to the state on disk.
 */

import { basename, dirname, join } from "node:path";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { InstanceKey } from "../../values/address.ts";
import type { Begun } from "./begun.ts";
import type { State, StateFile, StateInstance, StateOutput } from "./state.ts";

/** A state file and its journal, in the hands of one run that holds the lock. */
export interface StateStore {
  /** The state as it is now. Only the store may change it. */
  readonly state: State;
  /** The state file as it was read. */
  readonly file: StateFile;
  /** Which state is on disk now. */
  readonly identity: StateIdentity;
  /** The error that prevents storing, once there is one: nothing new may start then. */
  readonly problem: Diagnostic | undefined;
  /** Work that earlier, killed runs had begun, and that of this run. */
  readonly begun: Begun;
  /** Says that making an instance begins: before its host hears of it. A process that is killed leaves word of it so. */
  begin(type: string, name: string, instance: StateInstance, module?: string): void;
  /** Says that changing what a stored instance stands for begins: likewise. */
  beginUpdate(resource: string, key: InstanceKey): void;
  /** Says that either has ended, and that nothing was made or changed. */
  settle(resource: string, key: InstanceKey): void;
  /**
   * Stores an instance, or an old object beside it.
   *
   * @param module address of the module's instance; default the root module
   */
  put(type: string, name: string, instance: StateInstance, module?: string): void;
  /** @param deposed of an old object; else the instance itself goes */
  remove(resource: string, key: InstanceKey, deposed?: string): void;
  setOutputs(outputs: ReadonlyMap<string, StateOutput>): void;
  /** Not in the journal: what a killed run does not say the next one finds out. */
  setCheckResults(text: string): void;
  /** Resolves when everything so far survives a power failure. */
  durable(): Promise<void>;
  /** Brings the state file up to date, and removes the journal unless something that was begun is still open. */
  close(): Promise<readonly Diagnostic[]>;
}

/** Which state file it is, and in which version. */
export interface StateIdentity {
  /** Empty without a state. */
  readonly lineage: string;
  readonly serial: number;
  /** SHA-256 of the content; `none` without a file. */
  readonly hash: string;
}

export const journalPath = (statePath: string): string =>
  join(dirname(statePath), `.${basename(statePath)}.journal`);
