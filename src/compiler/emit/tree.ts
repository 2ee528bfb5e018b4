/**
 * @module The outputs of a configuration and of all local modules below it, each beside its own circuit files.
 */
import { relative } from "node:path";
import type { Configuration } from "../model.ts";

export interface DirectoryOutputs {
  /** From the root's directory: empty for the root itself, `modules/web`, `../shared`. */
  readonly directory: string;
  /** Texts by file name. Empty where there is no circuit file: outputs of an earlier one are to be removed. */
  readonly outputs: ReadonlyMap<string, string>;
}

/**
 * @param configuration one without errors
 * @param emit makes the outputs of one directory
 */
export const emitTree = (
  configuration: Configuration,
  emit: (configuration: Configuration) => ReadonlyMap<string, string>,
): readonly DirectoryOutputs[] =>
  allDirectories(configuration).map((one) => ({
    directory: relative(configuration.directory, one.directory),
    outputs: emit(one),
  }));

/** The configuration and those of its local modules, each once, callers first. */
export function allDirectories(configuration: Configuration): readonly Configuration[] {
  const found = new Set<Configuration>();
  const visit = (one: Configuration): void => {
    if (found.has(one)) return;
    found.add(one);
    for (const { configuration: called } of one.modules.values()) if (called !== undefined) visit(called);
  };
  visit(configuration);
  return [...found];
}
