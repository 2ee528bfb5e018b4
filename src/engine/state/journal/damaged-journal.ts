/**
 * @module The error about a journal that cannot be read to its end.
 */
import { type Diagnostic, errorDiagnostic } from "../../../diagnostics/diagnostic.ts";
import type { StateBackend } from "../state-backend.ts";
import type { ReadJournal } from "./journal.ts";

/** Nothing is taken in of it: what is behind the damage may undo what is before it. */
export function damagedJournal(
  { journal }: Pick<StateBackend, "journal">,
  { why, whole }: Extract<ReadJournal, { kind: "damaged" }>,
): Diagnostic {
  const aside = `${journal}.damaged`;
  const part =
    whole > 1
      ? ` What is before that line can be kept: head -n ${whole} ${aside} >${journal}, after the move.`
      : "";
  return errorDiagnostic(
    "State journal is damaged",
    `${journal} holds what an interrupted run did, and ${why}. Nothing was touched. To go on without it: mv ${journal} ${aside}.${part} The next plan then finds out from the hosts what it can; what is made anew although it is there is taken over.`,
  );
}
