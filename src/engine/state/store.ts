/**
 * @module The state on disk while a run works: every completed instance goes to the journal at once, and the journal
 * into the state file now and then, so that a killed process loses nothing and many instances cost linear time.
 */
import { createHash, randomUUID } from "node:crypto";
import { promises as fs } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { replaceFile } from "../../files/replace-file.ts";
import { resourceAddress } from "../../values/address.ts";
import type { InstanceKey } from "../plan.ts";
import { backUp } from "./backup.ts";
import { Begun } from "./begun.ts";
import { encoded } from "./encoded.ts";
import {
  applyEntries,
  beginLine,
  foldedLine,
  headerLine,
  type JournalBase,
  outputsLine,
  putLine,
  readJournal,
  removeLine,
  settleLine,
  updateLine,
} from "./journal.ts";
import { JournalFile } from "./journal-file.ts";
import { readState } from "./read-state.ts";
import { State, type StateFile, type StateInstance, type StateOutput } from "./state.ts";
import { hashIfThere, stateFileText, textIfThere } from "./state-file-text.ts";
import { stateParts } from "./write-state.ts";

/** How long completed work may be in the journal only. Milliseconds. */
export const foldInterval = 2000;

/** A state file and its journal, in the hands of one run that holds the lock. */
export interface StateStore {
  /** As it is now. To be changed through the store. */
  readonly state: State;
  /** As it was read. */
  readonly file: StateFile;
  /** Which state is on disk now. */
  readonly identity: StateIdentity;
  /** What keeps it from being stored, once something does: nothing new may start then. */
  readonly problem: Diagnostic | undefined;
  /** What earlier runs began to make and were killed over, and what this one is making. */
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
  /** Empty while there is none. */
  readonly lineage: string;
  readonly serial: number;
  /** SHA-256 of its content; `none` while there is none. */
  readonly hash: string;
}

export const journalPath = (statePath: string): string =>
  join(dirname(statePath), `.${basename(statePath)}.journal`);

export type OpenedStore =
  | { readonly store: StateStore; readonly problem?: undefined }
  | { readonly store?: undefined; readonly problem: Diagnostic };

/** Reads the state, and takes in what an interrupted run left in its journal. */
export async function openStore(path: string): Promise<OpenedStore> {
  try {
    return await open(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return { problem: errorDiagnostic("State cannot be read", `${path}: ${(error as Error).message}.`) };
  }
}

async function open(path: string): Promise<OpenedStore> {
  const { text: content, problem: emptied } = await stateFileText(path);
  if (emptied !== undefined) return { problem: emptied };
  const { state: file, problem } = readState(content ?? "", path);
  if (problem !== undefined) return { problem };
  const hash = content === undefined || content === "" ? "none" : hashOf(content);
  const state = new State(file);
  const journal = await textIfThere(journalPath(path));
  if (journal === undefined) return { store: new StoreWriter(path, file, state, hash, new Begun()) };
  const read = readJournal(journal, hash);
  if (read.kind === "damaged") return { problem: damagedJournal(path, read.why) };
  if (read.kind === "misfit") return { problem: misfit(path, file, read.base) };
  applyEntries(state, read.entries);
  // What a killed process left of its last line must not run into what is appended.
  await fs.truncate(journalPath(path), Buffer.byteLength(journal.slice(0, journal.lastIndexOf("\n") + 1)));
  const begun = withoutStored(read.begun, state);
  const writer = new StoreWriter(path, file, state, hash, begun);
  const problems = await writer.takeIn(read.base.lineage, read.entries.length > 0);
  return problems.length > 0 ? { problem: problems[0]! } : { store: writer };
}

/** What has been made after all, by whatever engine, is not open any more; nor is a change of what is gone. */
function withoutStored(begun: Begun, state: State): Begun {
  const open = new Begun();
  for (const [address, { module, type, name, instances }] of begun.resources) {
    for (const instance of instances.values())
      if (state.get(address, instance.key) === undefined) open.begin(type, name, instance, module);
  }
  for (const { resource, key } of begun.updates())
    if (state.get(resource, key) !== undefined) open.beginUpdate(resource, key);
  return open;
}

class StoreWriter implements StateStore {
  readonly state: State;
  readonly begun: Begun;
  readonly file: StateFile;
  problem: Diagnostic | undefined;
  readonly #path: string;
  #lineage: string;
  #serial: number;
  /** Of the state file as this run last read or wrote it. */
  #hash: string;
  #journal: JournalFile | undefined;
  /** Whether the journal has its first line. */
  #headed = false;
  #changed = false;
  #backedUp = false;
  #timer: NodeJS.Timeout | undefined;
  #folding: Promise<void> = Promise.resolve();

  constructor(path: string, file: StateFile, state: State, hash: string, begun: Begun) {
    this.begun = begun;
    this.#path = path;
    this.file = file;
    this.state = state;
    this.#lineage = file.lineage === "" ? randomUUID() : file.lineage;
    this.#serial = file.serial;
    this.#hash = hash;
  }

  get identity(): StateIdentity {
    return {
      lineage: this.#hash === "none" ? "" : this.#lineage,
      serial: this.#serial,
      hash: this.#hash,
    };
  }

  begin(type: string, name: string, instance: StateInstance, module = ""): void {
    this.begun.begin(type, name, instance, module);
    this.#append(() => beginLine({ module, type, name }, instance));
  }

  beginUpdate(resource: string, key: InstanceKey): void {
    this.begun.beginUpdate(resource, key);
    this.#append(() => updateLine(resource, key));
  }

  settle(resource: string, key: InstanceKey): void {
    this.begun.end(resource, key);
    this.#append(() => settleLine(resource, key));
  }

  put(type: string, name: string, instance: StateInstance, module = ""): void {
    this.state.put(type, name, instance, module);
    if (instance.deposed === undefined) this.begun.end(resourceAddress({ module, type, name }), instance.key);
    this.#change(() => putLine({ module, type, name }, instance));
  }

  remove(resource: string, key: InstanceKey, deposed?: string): void {
    this.state.remove(resource, key, deposed);
    if (deposed === undefined) this.begun.end(resource, key);
    this.#change(() => removeLine(resource, key, deposed));
  }

  setOutputs(outputs: ReadonlyMap<string, StateOutput>): void {
    this.state.setOutputs(outputs);
    this.#change(() => outputsLine(outputs));
  }

  setCheckResults(text: string): void {
    this.state.setCheckResults(text);
    this.#changed = true;
  }

  async durable(): Promise<void> {
    await this.#journal?.durable().catch((error: unknown) => this.#fail(error));
  }

  async close(): Promise<readonly Diagnostic[]> {
    clearTimeout(this.#timer);
    await this.#folding;
    if (this.#changed) await this.#fold();
    if (this.#journal !== undefined) {
      await this.#closeJournal();
      if (!this.#changed) await this.#shorten();
    }
    return this.problem === undefined ? [] : [this.problem];
  }

  /** Writes the state with an earlier run's journal in it, and removes the journal but for what is still open. */
  async takeIn(lineage: string, changed: boolean): Promise<readonly Diagnostic[]> {
    if (this.file.lineage === "" && lineage !== "") this.#lineage = lineage;
    if (changed) {
      this.#changed = true;
      this.#journal = new JournalFile(journalPath(this.#path));
      this.#headed = true;
      await this.#fold();
    }
    await this.#closeJournal();
    if (!this.#changed) await this.#shorten();
    return this.problem === undefined ? [] : [this.problem];
  }

  /** Leaves only what is still open of a journal whose changes the state file has. */
  async #shorten(): Promise<void> {
    const path = journalPath(this.#path);
    const making = [...this.begun.resources.values()].flatMap(({ instances, ...name }) =>
      [...instances.values()].map((instance) => beginLine(name, instance)),
    );
    const open = [
      ...making,
      ...[...this.begun.updates()].map(({ resource, key }) => updateLine(resource, key)),
    ];
    try {
      if (open.length === 0) await fs.rm(path, { force: true });
      else await replaceFile(path, this.#header() + open.join(""));
      this.#headed = open.length > 0;
    } catch (error) {
      this.#fail(error);
    }
  }

  #change(line: () => string): void {
    this.#changed = true;
    this.#timer ??= setTimeout(() => this.#foldSoon(), foldInterval);
    this.#append(line);
  }

  /** Also after something failed: each line tells the next start what it could not know, and stands by itself. */
  #append(line: () => string): void {
    try {
      this.#startJournal().append(line());
    } catch (error) {
      this.#fail(error);
    }
  }

  #startJournal(): JournalFile {
    this.#journal ??= new JournalFile(journalPath(this.#path));
    if (!this.#headed) this.#journal.append(this.#header());
    this.#headed = true;
    return this.#journal;
  }

  async #closeJournal(): Promise<void> {
    const journal = this.#journal;
    this.#journal = undefined;
    await journal?.close();
  }

  #header(): string {
    return headerLine({ lineage: this.#lineage, serial: this.#serial, hash: this.#hash });
  }

  #foldSoon(): void {
    this.#folding = this.#folding.then(() => (this.#changed ? this.#fold() : undefined));
  }

  /** Never rejects: what goes wrong is kept as the store's problem, and the journal stays. */
  async #fold(): Promise<void> {
    this.#timer = undefined;
    this.#changed = false;
    try {
      await this.#checkUntouched();
      const serial = this.#serial + 1;
      const { bytes, hash } = encoded(stateParts(this.state.toFile({ serial, lineage: this.#lineage })));
      // Durable before the state file has it: whatever happens in between, the next start finds out.
      if (this.#headed) this.#journal?.append(foldedLine(hash));
      await this.#journal?.durable();
      await this.#backUp();
      await replaceFile(this.#path, bytes);
      this.#serial = serial;
      this.#hash = hash;
    } catch (error) {
      this.#changed = true;
      this.#fail(error);
    }
  }

  async #checkUntouched(): Promise<void> {
    const hash = (await hashIfThere(this.#path)) ?? "none";
    if (hash !== this.#hash) throw new Error("another program has written the state file meanwhile");
  }

  /** What was there before this run stays beside the state. */
  async #backUp(): Promise<void> {
    if (this.#backedUp) return;
    const old = await textIfThere(this.#path);
    if (old !== undefined && old !== "") await backUp(this.#path, old);
    this.#backedUp = true;
  }

  #fail(error: unknown): void {
    this.problem ??= errorDiagnostic(
      "State cannot be saved",
      `${this.#path}: ${(error as Error).message}. Nothing new was started. What was done until then is in ${journalPath(this.#path)} as far as it could be written; make room and run again.`,
    );
  }
}

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

const damagedJournal = (path: string, why: string): Diagnostic =>
  errorDiagnostic(
    "State journal is damaged",
    `${journalPath(path)} holds what an interrupted run did, and ${why}. Move it away to go on without it; the next plan then finds out from the hosts what it can.`,
  );

const misfit = (path: string, file: StateFile, base: JournalBase): Diagnostic =>
  errorDiagnostic(
    "State journal does not fit the state",
    `${journalPath(path)} holds what an interrupted run did on top of serial ${base.serial} of lineage ${base.lineage}. ` +
      `${path} is at serial ${file.serial} of lineage ${file.lineage === "" ? "none" : file.lineage} and was written by another program meanwhile. ` +
      "Neither was changed. Put that older state back to take the journal in, or move the journal away to go on without it.",
  );
