/**
 * @module `errored.tfstate`, in the directory that the run is in: OpenTofu's name for a state that could not be stored in its
 * backend. OpenTofu never removes it; neither do we, but say when it is of no use any more.
 */
import { type Diagnostic, warningDiagnostic } from "../../diagnostics/diagnostic.ts";
import { systemErrorSentence } from "../../diagnostics/system-error.ts";
import { readRegular } from "../../files/read-regular.ts";
import { replaceFile } from "../../files/replace-file.ts";
import { readState } from "./read-state.ts";
import type { StateIdentity } from "./store.ts";

const path = "errored.tfstate";

/** @returns whole sentences: where the state is now, and what to do with it; or why it is not there */
export async function keepErroredState(bytes: Parameters<typeof replaceFile>[1]): Promise<string> {
  try {
    await replaceFile(path, bytes, { mode: 0o600 });
    return `The whole state is in ${path}, too: conn3x state push ${path} stores it, and so does the same command of OpenTofu.`;
  } catch (error) {
    return `${path} could not be written either: ${systemErrorSentence(error)}`;
  }
}

/**
 * Says that the file is not needed, if it has what the stored state has.
 *
 * @param stored the state as it is after the journal of that run was taken in
 */
export async function neededNoMore({ lineage, serial }: StateIdentity): Promise<readonly Diagnostic[]> {
  const text = await readRegular(path).then(String, () => undefined);
  const { state } = text === undefined ? { state: undefined } : readState(text, path);
  if (state === undefined || state.lineage !== lineage || state.serial !== serial) return [];
  return [
    warningDiagnostic(
      "State of an earlier run is stored now",
      `What that run could not store was taken in from its journal. ${path} is not needed any more: remove it. It may hold secrets, and storing it later would take back what is done from now on.`,
    ),
  ];
}
