/**
 * @module The engine's state, wherever that is: in a backend, in a workspace, encrypted.
 */
import { existsSync } from "node:fs";
import type { Configuration } from "../../compiler/index.ts";
import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { systemErrorSentence } from "../../diagnostics/system-error.ts";
import {
  configuredBackend,
  fileBackend,
  openStore,
  type Peeked,
  readState,
  type StateBackend,
  textIfThere,
} from "../../engine/index.ts";
import { plainComplaint } from "../program/complaint.ts";
import { questionEnvironment } from "../program/engine-environment.ts";
import { runEngine } from "../program/engine-process.ts";
import { jsonPart } from "../program/json.ts";
import { type EngineProgram, findProgram } from "../program/program.ts";

export interface EngineState {
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
export async function stateText({ program, statePath, signal, hurry }: EngineState): Promise<StateText> {
  if (statePath !== undefined) return fileText(statePath);
  const pulling = { program, args: ["state", "pull"], environment: questionEnvironment(), signal, hurry };
  const pulled = await runEngine(pulling);
  return pulled.status === 0
    ? { text: jsonPart(pulled.stdout) }
    : { problem: cannotPull(program.path, plainComplaint(pulled.stderr)) };
}

async function fileText(path: string): Promise<StateText> {
  try {
    return { text: (await textIfThere(path)) ?? "" };
  } catch (error) {
    return { problem: errorDiagnostic("State cannot be read", `${path}: ${systemErrorSentence(error)}`) };
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

export interface JournalBackend {
  readonly configuration: Pick<Configuration, "backend" | "incomplete">;
  /** Undefined: where the configuration has the state. */
  readonly statePath: string | undefined;
}

/** Where the embedded engine has the state, if it has left a journal there. Where it has never worked there is none. */
export async function backendWithJournal({
  configuration,
  statePath,
}: JournalBackend): Promise<StateBackend | undefined> {
  const backend =
    statePath === undefined
      ? (await configuredBackend(configuration, process.env)).usable
      : fileBackend(statePath);
  return backend !== undefined && existsSync(backend.journal) ? backend : undefined;
}

const cannotPull = (path: string, complaint: string): Diagnostic =>
  errorDiagnostic("State cannot be read", `${path} state pull failed:\n\n${complaint}`);

/**
 * Takes what a killed run of the embedded engine left in its journal into the state file: other engines do not know of
 * journals.
 *
 * @param timeout milliseconds to wait for the state's lock
 * @returns what kept it from being taken in, as errors
 */
export async function takeInJournal(where: JournalBackend, timeout: number): Promise<readonly Diagnostic[]> {
  const backend = await backendWithJournal(where);
  if (backend === undefined) return [];
  try {
    const { lock, problem } = await backend.lock({ operation: "OperationTypeApply", timeout });
    if (lock === undefined) return [problem];
    const { problem: unread, warnings } = await openStore(backend);
    return [...(warnings ?? [unread]), ...(await lock.release())];
  } finally {
    await backend.close();
  }
}
