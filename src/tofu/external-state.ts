/**
 * @module The state as the engine has it, wherever that is: a backend's, a workspace's, an encrypted one.
 */
import { existsSync } from "node:fs";
import { type Diagnostic, errorDiagnostic } from "../diagnostics/diagnostic.ts";
import { systemErrorText } from "../diagnostics/system-error.ts";
import { lockState } from "../engine/state/lock.ts";
import { openStore } from "../engine/state/open-store.ts";
import type { Peeked } from "../engine/state/peek.ts";
import { readState } from "../engine/state/read-state.ts";
import { textIfThere } from "../engine/state/state-file-text.ts";
import { journalPath } from "../engine/state/store.ts";
import { plainComplaint } from "./complaint.ts";
import { engineEnvironment } from "./engine-environment.ts";
import { runEngine } from "./engine-process.ts";
import { jsonPart } from "./json.ts";
import { type EngineProgram, findProgram } from "./program.ts";

export interface StatePlace {
  readonly program: EngineProgram;
  /** Undefined: where the engine has it. */
  readonly statePath?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly hurry?: AbortSignal | undefined;
}

export type StateText =
  | { readonly text: string; readonly problem?: undefined }
  | { readonly text?: undefined; readonly problem: Diagnostic };

/** The text of the state; empty where there is none yet. Nothing is locked and nothing is written. */
export async function stateText({ program, statePath, signal, hurry }: StatePlace): Promise<StateText> {
  if (statePath !== undefined) return fileText(statePath);
  const pulling = { program, args: ["state", "pull"], environment: engineEnvironment(), signal, hurry };
  const pulled = await runEngine(pulling);
  return pulled.status === 0
    ? { text: jsonPart(pulled.stdout) }
    : { problem: cannotPull(program.path, plainComplaint(pulled.stderr)) };
}

async function fileText(path: string): Promise<StateText> {
  try {
    return { text: (await textIfThere(path)) ?? "" };
  } catch (error) {
    return { problem: errorDiagnostic("State cannot be read", `${path}: ${systemErrorText(error)}.`) };
  }
}

/**
 * Asks the engine for its state.
 *
 * @param engine `tofu`, `terraform` or a program's path
 */
export async function pullState(engine: string): Promise<Peeked> {
  const found = findProgram(engine);
  if ("problem" in found) return { problem: found.problem };
  const { program } = found;
  const { text, problem: unread } = await stateText({ program });
  if (unread !== undefined) return { problem: unread };
  const { state, problem } = readState(text, `what ${program.path} state pull prints`);
  return state === undefined ? { problem } : { file: state };
}

const cannotPull = (path: string, complaint: string): Diagnostic =>
  errorDiagnostic("State cannot be read", `${path} state pull failed:\n\n${complaint}`);

/**
 * Takes what a killed run of the embedded engine left in its journal into the state file: other engines do not know of
 * journals.
 *
 * @param path of the local state file
 * @param timeout milliseconds to wait for the state's lock
 * @returns what kept it from being taken in
 */
export async function takeInJournal(path: string, timeout: number): Promise<readonly Diagnostic[]> {
  if (!existsSync(journalPath(path))) return [];
  const { lock, problem } = await lockState({
    statePath: path,
    operation: "OperationTypeApply",
    timeout,
  });
  if (lock === undefined) return [problem];
  try {
    const opened = await openStore(path);
    return opened.problem === undefined ? [] : [opened.problem];
  } finally {
    await lock.release();
  }
}
