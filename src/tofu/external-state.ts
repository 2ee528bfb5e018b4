/**
 * @module The state as the engine has it, wherever that is: a backend's, a workspace's, an encrypted one.
 */
import { existsSync } from "node:fs";
import { type Diagnostic, errorDiagnostic } from "../diagnostics/diagnostic.ts";
import { lockState } from "../engine/state/lock.ts";
import type { Peeked } from "../engine/state/peek.ts";
import { readState } from "../engine/state/read-state.ts";
import { journalPath, openStore } from "../engine/state/store.ts";
import { plainComplaint } from "./complaint.ts";
import { runEngine } from "./engine-process.ts";
import { jsonPart } from "./json.ts";
import { findProgram } from "./program.ts";

/**
 * Asks the engine for its state. Nothing is locked and nothing is written.
 *
 * @param engine `tofu`, `terraform` or a program's path
 */
export async function pullState(engine: string): Promise<Peeked> {
  const found = findProgram(engine);
  if ("problem" in found) return { problem: found.problem };
  const { program } = found;
  const environment = { ...process.env, TF_IN_AUTOMATION: "1", TF_INPUT: "0" };
  const pulled = await runEngine({ program, args: ["state", "pull"], environment });
  if (pulled.status !== 0) return { problem: cannotPull(program.path, plainComplaint(pulled.stderr)) };
  const { state, problem } = readState(jsonPart(pulled.stdout), `what ${program.path} state pull prints`);
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
