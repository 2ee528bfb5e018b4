/**
 * @module Keeps the state on disk up to date while a run works: every completed instance goes to the journal at once, and
 * the journal into the state file now and then, so that a killed process loses nothing and many instances cost linear time.
 */

import { randomUUID } from "node:crypto";
import { promises as fs } from "node:fs";
import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { systemErrorSentence } from "../../diagnostics/system-error.ts";
import { PlainError } from "../../diagnostics/unexpected-error.ts";
import { replaceFile } from "../../files/replace-file.ts";
import { type InstanceKey, instanceAddress, resourceAddress } from "../../values/address.ts";
import type { Begun } from "./begun.ts";
import type { EncodedText } from "./encoded.ts";
import { keepErroredState } from "./errored-state.ts";
import {
  beginLine,
  foldedLine,
  headerLine,
  outputsLine,
  putLine,
  removeLine,
  settleLine,
  updateLine,
} from "./journal/journal.ts";
import { JournalFile } from "./journal/journal-file.ts";
import { type Change, Unrecorded } from "./journal/unrecorded.ts";
import type { State, StateFile, StateInstance, StateOutput } from "./state.ts";
import { BackendError, type StateBackend } from "./state-backend.ts";
import type { StateIdentity, StateStore } from "./store.ts";
import { stateParts } from "./write-state.ts";

export class StoreWriter implements StateStore {
  readonly state: State;
  readonly begun: Begun;
  readonly file: StateFile;
  problem: Diagnostic | undefined;
  readonly #place: StateBackend;
  #lineage: string;
  #serial: number;
  /** Hash of the state file as this run last read or wrote it. */
  #hash: string;
  #journal: JournalFile | undefined;
  /** Whether the journal has its first line. */
  #headed = false;
  #changed = false;
  #backedUp = false;
  readonly #unrecorded = new Unrecorded();
  #timer: NodeJS.Timeout | undefined;
  #folding: Promise<void> = Promise.resolve();

  constructor(backend: StateBackend, file: StateFile, state: State, hash: string, begun: Begun) {
    this.begun = begun;
    this.#place = backend;
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
    const address = instanceAddress(resourceAddress({ module, type, name }), instance.key);
    const line = () => putLine({ module, type, name }, instance);
    this.#change(line, { address, instance, what: "made", line });
  }

  remove(resource: string, key: InstanceKey, deposed?: string): void {
    const instance = this.state.resources.get(resource)?.instances.get(key);
    this.state.remove(resource, key, deposed);
    if (deposed === undefined) this.begun.end(resource, key);
    const line = () => removeLine(resource, key, deposed);
    this.#change(line, { address: instanceAddress(resource, key), instance, what: "removed", line });
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
    if (this.#changed) await this.#fold("last");
    if (this.#changed) this.#unrecorded.retry((line) => this.#startJournal().append(line));
    if (this.#journal !== undefined) {
      await this.#closeJournal();
      if (!this.#changed) await this.#shorten();
    }
    return [this.problem, this.#unrecorded.problem(this.#place)].filter((problem) => problem !== undefined);
  }

  /** Writes the state with an earlier run's journal in it, and removes the journal but for what is still open. */
  async takeIn(lineage: string, changed: boolean): Promise<readonly Diagnostic[]> {
    if (this.file.lineage === "" && lineage !== "") this.#lineage = lineage;
    if (changed) {
      this.#changed = true;
      this.#journal = new JournalFile(this.#place.journal);
      this.#headed = true;
      await this.#fold("last");
    }
    await this.#closeJournal();
    if (!this.#changed) await this.#shorten();
    return this.problem === undefined ? [] : [this.problem];
  }

  /** Leaves only what is still open of a journal whose changes the state file has. */
  async #shorten(): Promise<void> {
    const path = this.#place.journal;
    const making = [...this.begun.resources.values()].flatMap(({ instances, ...name }) =>
      [...instances.values()].map((instance) => beginLine(name, instance)),
    );
    const open = [
      ...making,
      ...[...this.begun.updates()].map(({ resource, key }) => updateLine(resource, key)),
    ];
    try {
      if (open.length === 0) await fs.rm(path, { force: true });
      else await replaceFile(path, this.#header() + open.join(""), { mode: 0o600 });
      this.#headed = open.length > 0;
    } catch (error) {
      this.#fail(error);
    }
  }

  #change(line: () => string, change?: Change): void {
    this.#changed = true;
    this.#timer ??= setTimeout(() => this.#foldSoon(), this.#place.foldInterval);
    const isRecorded = this.#append(line);
    if (change === undefined) return;
    if (isRecorded) this.#unrecorded.settle(change.address);
    else this.#unrecorded.note(change);
  }

  /** Also after something failed: each line is complete in itself, and the next start cannot know it otherwise. */
  #append(line: () => string): boolean {
    try {
      this.#startJournal().append(line());
      return true;
    } catch (error) {
      this.#fail(error);
      return false;
    }
  }

  #startJournal(): JournalFile {
    this.#journal ??= new JournalFile(this.#place.journal);
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
    this.#folding = this.#folding.then(() => (this.#changed ? this.#fold("more to come") : undefined));
  }

  /** Never rejects: what goes wrong is kept as the store's problem, and the journal stays. */
  async #fold(backend: "last" | "more to come"): Promise<void> {
    this.#timer = undefined;
    this.#changed = false;
    const serial = this.#serial + 1;
    const parts = stateParts(this.state.toFile({ serial, lineage: this.#lineage }));
    const content = this.#place.encode(parts);
    try {
      await this.#checkUntouched();
      // Durable before the state file has it: whatever happens in between, the next start finds out.
      if (this.#headed) this.#journal?.append(foldedLine(content.hash));
      await this.#journal?.durable();
      await this.#backUp();
      await this.#place.write(content);
      this.#serial = serial;
      this.#hash = content.hash;
      this.#unrecorded.clear();
    } catch (error) {
      this.#changed = true;
      // A server may answer again before the end; until then the journal has it all.
      if (error instanceof BackendError && backend === "more to come") return;
      this.#fail(error);
      if (backend === "last" && error instanceof BackendError) await this.#keepHere(content);
    }
  }

  async #checkUntouched(): Promise<void> {
    if ((await this.#place.presentHash()) !== this.#hash)
      throw new PlainError("another program has written the state meanwhile");
  }

  /** Keeps the state from before this run as a backup. */
  async #backUp(): Promise<void> {
    if (this.#backedUp) return;
    await this.#place.backUp();
    this.#backedUp = true;
  }

  /** As OpenTofu does where a state cannot be stored elsewhere. */
  async #keepHere({ bytes }: EncodedText): Promise<void> {
    const kept = await keepErroredState(bytes);
    const { problem } = this;
    if (problem !== undefined) this.problem = { ...problem, detail: `${problem.detail}\n\n${kept}` };
  }

  #fail(error: unknown): void {
    const { name, journal } = this.#place;
    if (error instanceof BackendError) {
      this.problem ??= errorDiagnostic(
        "State cannot be saved",
        `${error.message} What this run did is in ${journal}: run the same again here when that works again, and it is stored first.`,
      );
      return;
    }
    this.problem ??= errorDiagnostic(
      "State cannot be saved",
      `${name}: ${systemErrorSentence(error)} Nothing new was started. What was done until then is in ${journal} as far as it could be written.`,
    );
  }
}
