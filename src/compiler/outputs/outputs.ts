/**
 * @module The changes that bring the outputs in a directory up to date and remove stale ones.
 */
import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { overrideFileName, readHeader } from "./generated.ts";

export type FileAction =
  | { readonly action: "write"; readonly name: string; readonly text: string }
  | { readonly action: "remove"; readonly name: string };

export interface OutputPlan {
  /** Empty when nothing has to change. */
  readonly actions: readonly FileAction[];
  /** Files of others at the paths of outputs. With any of them nothing is changed. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Whether a file of this name may be an output of the compiler. */
export const mayBeOutput = (name: string): boolean =>
  name === overrideFileName || /\.circuit\.tf(\.json)?$/.test(name) || name === `${overrideFileName}.json`;

/**
 * @param outputs texts by file name
 * @param existing texts of the files in the directory, at least of those that {@link mayBeOutput}
 */
export function planOutputs(
  outputs: ReadonlyMap<string, string>,
  existing: ReadonlyMap<string, string>,
): OutputPlan {
  const actions: FileAction[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const [name, text] of outputs) {
    const present = existing.get(name);
    if (present === text) continue;
    const problem = present === undefined ? undefined : whyNotOurs(name, present);
    if (problem === undefined) actions.push({ action: "write", name, text });
    else diagnostics.push(problem);
  }
  for (const [name, text] of existing) {
    if (outputs.has(name) || !mayBeOutput(name)) continue;
    const header = readHeader(text);
    if (header === undefined) continue;
    if (header.intact) actions.push({ action: "remove", name });
    else diagnostics.push(editedByHand(name, header.source, "removed"));
  }
  return { actions, diagnostics };
}

function whyNotOurs(name: string, text: string): Diagnostic | undefined {
  const header = readHeader(text);
  if (header === undefined) {
    return errorDiagnostic(
      `${name} is in the way`,
      "The compiler would write a file of this name, and the one that is there was not written by it. Rename it, or the circuit file.",
    );
  }
  return header.intact ? undefined : editedByHand(name, header.source, "overwritten");
}

const editedByHand = (name: string, source: string, fate: string): Diagnostic =>
  errorDiagnostic(
    `${name} was changed by hand`,
    `It is generated from ${source}, and would be ${fate}. Move the change to the circuit file, then delete ${name} and compile again.`,
  );
