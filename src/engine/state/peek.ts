/**
 * @module Reads a state without changing anything: nothing is locked and nothing is written, and what an interrupted run left in its
 * journal counts as stored.
 */
import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { backendAt } from "./file-backend.ts";
import { damagedJournal } from "./journal/damaged-journal.ts";
import { applyEntries, readJournal } from "./journal/journal.ts";
import { readState } from "./read-state.ts";
import { State, type StateFile } from "./state.ts";
import { backendProblem, type StateBackend, type StateLocation } from "./state-backend.ts";
import { textIfThere } from "./state-file-text.ts";

export type Peeked =
  | { readonly file: StateFile; readonly problem?: undefined }
  | { readonly file?: undefined; readonly problem: Diagnostic };

/** A file that is not there is an empty state. */
export async function peekState(location: StateLocation): Promise<Peeked> {
  const backend = backendAt(location);
  try {
    const { text, problem: emptied } = await backend.read();
    if (emptied !== undefined) return { problem: emptied };
    const { state: file, problem } = readState(text ?? "", backend.name);
    if (problem !== undefined) return { problem };
    const journal = await textIfThere(backend.journal);
    if (journal === undefined) return { file };
    const read = readJournal(journal, backend.hashOf(text));
    if (read.kind === "damaged") return { problem: damagedJournal(backend, read) };
    if (read.kind === "misfit") return { problem: unreadable(backend) };
    const state = new State(file);
    applyEntries(state, read.entries);
    const lineage = file.lineage === "" ? read.base.lineage : file.lineage;
    return { file: state.toFile({ serial: file.serial, lineage }) };
  } catch (error) {
    return { problem: backendProblem(error, "State cannot be read", backend.name) };
  } finally {
    await backend.close();
  }
}

const unreadable = ({ journal, name }: StateBackend): Diagnostic =>
  errorDiagnostic(
    "State journal cannot be read",
    `${journal} holds what an interrupted run did, and does not fit ${name}. conn3x plan says more.`,
  );
