/**
 * @module Reads a state without changing anything: nothing is locked and nothing is written, and what an interrupted run left in its
 * journal counts as stored.
 */
import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { damagedJournal } from "./damaged-journal.ts";
import { placeAt } from "./file-place.ts";
import { applyEntries, readJournal } from "./journal.ts";
import { placeProblem, type StateLocation, type StatePlace } from "./place.ts";
import { readState } from "./read-state.ts";
import { State, type StateFile } from "./state.ts";
import { textIfThere } from "./state-file-text.ts";

export type Peeked =
  | { readonly file: StateFile; readonly problem?: undefined }
  | { readonly file?: undefined; readonly problem: Diagnostic };

/** A file that is not there is an empty state. */
export async function peekState(location: StateLocation): Promise<Peeked> {
  const place = placeAt(location);
  try {
    const { text, problem: emptied } = await place.read();
    if (emptied !== undefined) return { problem: emptied };
    const { state: file, problem } = readState(text ?? "", place.name);
    if (problem !== undefined) return { problem };
    const journal = await textIfThere(place.journal);
    if (journal === undefined) return { file };
    const read = readJournal(journal, place.hashOf(text));
    if (read.kind === "damaged") return { problem: damagedJournal(place, read) };
    if (read.kind === "misfit") return { problem: unreadable(place) };
    const state = new State(file);
    applyEntries(state, read.entries);
    const lineage = file.lineage === "" ? read.base.lineage : file.lineage;
    return { file: state.toFile({ serial: file.serial, lineage }) };
  } catch (error) {
    return { problem: placeProblem(error, "State cannot be read", place.name) };
  } finally {
    await place.close();
  }
}

const unreadable = ({ journal, name }: StatePlace): Diagnostic =>
  errorDiagnostic(
    "State journal cannot be read",
    `${journal} holds what an interrupted run did, and does not fit ${name}. conn3x plan says more.`,
  );
