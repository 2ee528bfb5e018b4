/**
 * @module Puts the compiler's outputs into a directory.
 */
import { readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Diagnostic, errorDiagnostic, hasErrors } from "../diagnostics/diagnostic.ts";
import { type FileAction, mayBeOutput, type OutputPlan, planOutputs } from "./outputs.ts";

/** What {@link writeOutputs} would do. Reads only. */
export async function checkOutputs(
  directory: string,
  outputs: ReadonlyMap<string, string>,
): Promise<OutputPlan> {
  const existing = new Map<string, string>();
  try {
    for (const name of (await readdir(directory)).sort()) {
      if (mayBeOutput(name)) existing.set(name, await readFile(join(directory, name), "utf8"));
    }
  } catch (error) {
    return { actions: [], diagnostics: [cannot("read", directory, error)] };
  }
  return planOutputs(outputs, existing);
}

/**
 * Writes the outputs, and removes those of circuit files that are gone. A file that was changed by hand, or that is not
 * the compiler's, is left alone with an error, and then so is every other.
 *
 * @param directory an existing one
 * @returns the plan that was carried out, with what went wrong
 */
export async function writeOutputs(
  directory: string,
  outputs: ReadonlyMap<string, string>,
): Promise<OutputPlan> {
  const plan = await checkOutputs(directory, outputs);
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

/** Nobody reads half a file, whatever happens meanwhile. */
async function replaceFile(path: string, text: string): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    await writeFile(temporary, text);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

const cannot = (what: string, path: string, error: unknown): Diagnostic =>
  errorDiagnostic(`Cannot ${what} ${path}`, `${(error as Error).message}.`);
