/**
 * @module Keeps the state on disk up to date while a run works: every completed instance goes to the journal at once, and
 * the journal into the state file now and then, so that a killed process loses nothing and many instances cost linear time.
 */
import { randomUUID } from "node:crypto";
import { promises as fs } from "node:fs";
import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { replaceFile } from "../../files/replace-file.ts";
import { resourceAddress } from "../../values/address.ts";
import type { InstanceKey } from "../plan.ts";
import { backUp } from "./backup.ts";
import type { Begun } from "./begun.ts";
import { encoded } from "./encoded.ts";
import {
  beginLine,
  foldedLine,
  headerLine,
  outputsLine,
  putLine,
  removeLine,
  settleLine,
  updateLine,
} from "./journal.ts";
import { JournalFile } from "./journal-file.ts";
import type { State, StateFile, StateInstance, StateOutput } from "./state.ts";
import { hashIfThere, textIfThere } from "./state-file-text.ts";
import { journalPath, type StateIdentity, type StateStore } from "./store.ts";
import { stateParts } from "./write-state.ts";

/** How long completed work may be in the journal only. Milliseconds. */
export const foldInterval = 2000;

export class StoreWriter implements StateStore {
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
