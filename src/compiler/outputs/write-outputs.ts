/**
 * @module Puts the compiler's outputs into a directory.
 */
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Diagnostic, errorDiagnostic, hasErrors } from "../../diagnostics/diagnostic.ts";
import { systemErrorSentence } from "../../diagnostics/system-error.ts";
import { readRegular } from "../../files/read-regular.ts";
import { replaceFile } from "../../files/replace-file.ts";
import { type FileAction, mayBeOutput, type OutputPlan, planOutputs } from "./outputs.ts";

/** What {@link writeOutputs} would do. Reads only. */
export async function checkOutputs(
  directory: string,
  outputs: ReadonlyMap<string, string>,
): Promise<OutputPlan> {
  const existing = new Map<string, string>();
  let reading = directory;
  try {
    for (const name of (await readdir(directory)).sort()) {
      reading = join(directory, name);
      if (mayBeOutput(name)) existing.set(name, String(await readRegular(reading)));
    }
  } catch (error) {
    return { actions: [], diagnostics: [cannot("read", reading, error)] };
  }
  return planOutputs(outputs, existing);
}

/**
 * Writes the outputs, and removes those of circuit files that are gone. For a file that was edited, or that is not
 * the compiler's, there is an error and nothing is written.
 *
 * @param directory an existing one
 * @returns the plan that was carried out, with what went wrong
 */
export async function writeOutputs(
  directory: string,
  outputs: ReadonlyMap<string, string>,
): Promise<OutputPlan> {
  return carryOut(directory, await checkOutputs(directory, outputs));
}

/** @returns the part of the plan that was carried out, with what went wrong */
export async function carryOut(directory: string, plan: OutputPlan): Promise<OutputPlan> {
  if (hasErrors(plan.diagnostics)) return { ...plan, actions: [] };
  const done: FileAction[] = [];
  const diagnostics: Diagnostic[] = [...plan.diagnostics];
  for (const action of plan.actions) {
    const path = join(directory, action.name);
    try {
      if (action.action === "remove") await rm(path);
      else await replaceFile(path, action.text);
      done.push(action);
    } catch (error) {
      diagnostics.push(cannot(action.action, path, error));
    }
  }
  return { actions: done, diagnostics };
}

const cannot = (what: string, path: string, error: unknown): Diagnostic =>
  errorDiagnostic(`Cannot ${what} ${path}`, sentence(systemErrorSentence(error)));

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
