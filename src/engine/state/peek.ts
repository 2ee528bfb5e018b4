/**
 * @module A state for who only looks: nothing is locked and nothing is written, and what an interrupted run left in its
 * journal counts as stored.
 */
import { createHash } from "node:crypto";
import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { systemErrorText } from "../../diagnostics/system-error.ts";
import { applyEntries, readJournal } from "./journal.ts";
import { readState } from "./read-state.ts";
import { State, type StateFile } from "./state.ts";
import { stateFileText, textIfThere } from "./state-file-text.ts";
import { journalPath } from "./store.ts";

export type Peeked =
  | { readonly file: StateFile; readonly problem?: undefined }
  | { readonly file?: undefined; readonly problem: Diagnostic };

/** A file that is not there is an empty state. */
export async function peekState(path: string): Promise<Peeked> {
  try {
    const { text, problem: emptied } = await stateFileText(path);
    if (emptied !== undefined) return { problem: emptied };
    const { state: file, problem } = readState(text ?? "", path);
    if (problem !== undefined) return { problem };
    const journal = await textIfThere(journalPath(path));
    if (journal === undefined) return { file };
    const hash = text === undefined || text === "" ? "none" : createHash("sha256").update(text).digest("hex");
    const read = readJournal(journal, hash);
    if (read.kind === "damaged" || read.kind === "misfit") return { problem: unreadable(path) };
    const state = new State(file);
    applyEntries(state, read.entries);
    const lineage = file.lineage === "" ? read.base.lineage : file.lineage;
    return { file: state.toFile({ serial: file.serial, lineage }) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return { problem: errorDiagnostic("State cannot be read", `${path}: ${systemErrorText(error)}.`) };
  }
}

const unreadable = (path: string): Diagnostic =>
  errorDiagnostic(
    "State journal cannot be read",
    `${journalPath(path)} holds what an interrupted run did, and does not fit ${path}. conn3x plan says more.`,
  );
