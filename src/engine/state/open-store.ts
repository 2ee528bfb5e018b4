/**
 * @module Opens the state on disk: reads it, and takes in what an interrupted run left in its journal.
 */
import { promises as fs } from "node:fs";
import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { Begun } from "./begun.ts";
import { neededNoMore } from "./errored-state.ts";
import { backendAt } from "./file-backend.ts";
import { damagedJournal } from "./journal/damaged-journal.ts";
import { applyEntries, type JournalBase, readJournal } from "./journal/journal.ts";
import { readState } from "./read-state.ts";
import { State, type StateFile } from "./state.ts";
import { backendProblem, type StateBackend, type StateLocation } from "./state-backend.ts";
import { textIfThere } from "./state-file-text.ts";
import type { StateStore } from "./store.ts";
import { StoreWriter } from "./store-writer.ts";

export type OpenedStore =
  | {
      readonly store: StateStore;
      /** Warnings about what an earlier run left. */
      readonly warnings: readonly Diagnostic[];
      readonly problem?: undefined;
    }
  | { readonly store?: undefined; readonly warnings?: undefined; readonly problem: Diagnostic };

/** Reads the state, and takes in what an interrupted run left in its journal. */
export async function openStore(location: StateLocation): Promise<OpenedStore> {
  const backend = backendAt(location);
  try {
    return await open(backend);
  } catch (error) {
    return { problem: backendProblem(error, "State cannot be read", backend.name) };
  }
}

async function open(backend: StateBackend): Promise<OpenedStore> {
  const { text: content, problem: emptied } = await backend.read();
  if (emptied !== undefined) return { problem: emptied };
  const { state: file, problem } = readState(content ?? "", backend.name);
  if (problem !== undefined) return { problem };
  const hash = backend.hashOf(content);
  const state = new State(file);
  const journal = await textIfThere(backend.journal);
  if (journal === undefined)
    return { store: new StoreWriter(backend, file, state, hash, new Begun()), warnings: [] };
  const read = readJournal(journal, hash);
  if (read.kind === "damaged") return { problem: damagedJournal(backend, read) };
  if (read.kind === "misfit") return { problem: misfit(backend, file, read.base) };
  applyEntries(state, read.entries);
  // What a killed process left of its last line must not run into what is appended.
  await fs.truncate(backend.journal, Buffer.byteLength(journal.slice(0, journal.lastIndexOf("\n") + 1)));
  const begun = withoutStored(read.begun, state);
  const writer = new StoreWriter(backend, file, state, hash, begun);
  const problems = await writer.takeIn(read.base.lineage, read.entries.length > 0);
  if (problems.length > 0) return { problem: problems[0]! };
  return {
    store: writer,
    warnings: backend.isRemote && read.entries.length > 0 ? await neededNoMore(writer.identity) : [],
  };
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

const misfit = ({ journal, name }: StateBackend, file: StateFile, base: JournalBase): Diagnostic =>
  errorDiagnostic(
    "State journal does not fit the state",
    `${journal} holds what an interrupted run did on top of serial ${base.serial} of lineage ${base.lineage}. ` +
      `${name} is at serial ${file.serial} of lineage ${file.lineage === "" ? "none" : file.lineage} and was written by another program meanwhile. ` +
      "Neither was changed. Put that older state back to take the journal in, or move the journal away to go on without it.",
  );
