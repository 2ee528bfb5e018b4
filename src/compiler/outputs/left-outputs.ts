/**
 * @module Outputs in directories that no module call refers to any more. They are removed when their circuit files are
 * gone. A directory with circuit files is left alone.
 */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { readRegular } from "../../files/read-regular.ts";
import { sourceForm } from "../source/source-set.ts";
import { readHeader, sourceOfOverride } from "./generated.ts";
import { type FileAction, mayBeOutput, type OutputPlan, planOutputs } from "./outputs.ts";
import { carryOut } from "./write-outputs.ts";

export interface LeftOutputs extends OutputPlan {
  /** Path from the root. */
  readonly directory: string;
}

/** Directories that are not searched: those of package managers, version control and engines. */
const isPassedOver = (name: string): boolean => name.startsWith(".") || name === "node_modules";

/**
 * Removes the outputs, or returns what it would remove.
 *
 * @param root the directory to search; links to directories are not followed
 * @param compiled paths from the root of the directories that are compiled
 */
export async function removeLeftOutputs(
  root: string,
  compiled: ReadonlySet<string>,
  check: boolean,
): Promise<readonly LeftOutputs[]> {
  const found: LeftOutputs[] = [];
  const visit = async (directory: string): Promise<void> => {
    // A directory that cannot be read does not belong to this configuration.
    const entries = await readdir(join(root, directory), { withFileTypes: true }).catch(() => []);
    const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
    if (!compiled.has(directory)) {
      const plan = await leftIn(join(root, directory), files.sort());
      const done = check ? plan : await carryOut(join(root, directory), plan);
      if (done.actions.length + done.diagnostics.length > 0) found.push({ directory, ...done });
    }
    for (const entry of entries) {
      if (entry.isDirectory() && !isPassedOver(entry.name)) await visit(join(directory, entry.name));
    }
  };
  await visit("");
  return found;
}

async function leftIn(directory: string, names: readonly string[]): Promise<OutputPlan> {
  const texts = new Map<string, string>();
  for (const name of names.filter(mayBeOutput)) {
    const text = await readRegular(join(directory, name)).then(String, () => undefined);
    if (text !== undefined && readHeader(text) !== undefined) texts.set(name, text);
  }
  if (texts.size === 0 || names.some((name) => sourceForm(name) === "circuit")) return nothing;
  const sources = [...texts.values()].map((text) => readHeader(text)!.source);
  const present = await Promise.all(sources.map((source) => isThere(join(directory, source))));
  // With -out outputs are elsewhere than what they are made from, which their headers lead to.
  if (present.includes(true) || sources.every((source) => source === sourceOfOverride.plain)) return nothing;
  return planOutputs(new Map(), texts);
}

const nothing: OutputPlan = { actions: [] as readonly FileAction[], diagnostics: [] };

/** Reads regular files only: a pipe could block for ever. */
const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
