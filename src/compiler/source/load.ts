/**
 * @module Reads a configuration directory.
 */
import { readdir, realpath, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type Diagnostic, errorDiagnostic, warningDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { SourceFile } from "../../diagnostics/source.ts";
import { sourceFrom, unreadable } from "../../diagnostics/source-bytes.ts";
import { readRegular } from "../../files/read-regular.ts";
import type { Block } from "../../hcl/tree.ts";
import { compileSources } from "../compile.ts";
import type { KindRegistry } from "../declare/declaration.ts";
import type { Configuration, ParsedFile } from "../model.ts";
import { readHeader } from "../outputs/generated.ts";
import { isLocalSource, moduleSource, sourceOf } from "./module-source.ts";
import { parseSources } from "./parse-sources.ts";
import { isOverride, sourceForm, sourceNames } from "./source-set.ts";

export interface LoadOptions {
  readonly kinds: KindRegistry;
  /** Whether a directory without any configuration is allowed. Default false. */
  readonly mayBeEmpty?: boolean;
}

/**
 * Reads and compiles the configuration of a directory and of the local modules that it calls. Never throws:
 * everything that is wrong is in the diagnostics of the result.
 *
 * @param directory as the user named it; names of files in diagnostics start with it
 */
export const loadConfiguration = (directory: string, options: LoadOptions): Promise<Configuration> =>
  loadDirectory(directory, [], { ...options, modules: new Map() });

interface Loader extends LoadOptions {
  /** The loaded configurations by real path: a module that is called twice is loaded once. */
  readonly modules: Map<string, Promise<Configuration>>;
}

/** @param callers real paths of the directories through whose modules it was reached */
async function loadDirectory(
  directory: string,
  callers: readonly string[],
  loader: Loader,
): Promise<Configuration> {
  const { kinds } = loader;
  const isModule = callers.length > 0;
  const { files, diagnostics, incomplete } = await readSources(
    directory,
    isModule || loader.mayBeEmpty === true,
  );
  const parsed = parseSources(files, kinds);
  const trail = [...callers, await realpath(directory).catch(() => resolve(directory))];
  const modules = new Map<string, Configuration>();
  for (const block of moduleBlocks(parsed.sources)) {
    const source = moduleSource(block);
    if (source === undefined || !isLocalSource(source) || modules.has(source)) continue;
    const loaded = await loadModule(join(directory, source), block, trail, loader);
    if ("problem" in loaded) diagnostics.push(loaded.problem);
    else modules.set(source, loaded.configuration);
  }
  // What a module's sensitive variable is given is as secret where it is written.
  for (const file of files) for (const module of modules.values()) file.conceal(secretVariables(module));
  return compileSources(parsed, { directory, kinds, diagnostics, incomplete, modules, isModule });
}

const secretVariables = ({ variables }: Configuration): readonly string[] =>
  [...variables.values()].filter((one) => one.sensitive || one.ephemeral).map(({ name }) => name);

async function loadModule(
  directory: string,
  block: Block,
  trail: readonly string[],
  loader: Loader,
): Promise<{ readonly configuration: Configuration } | { readonly problem: Diagnostic }> {
  const range = sourceOf(block) ?? block.header;
  const path = await realpath(directory).catch(() => undefined);
  if (path === undefined || !(await stat(path)).isDirectory()) {
    const detail = `There is no directory ${directory}. A module's source is relative to the directory that calls it.`;
    return { problem: errorDiagnostic("The module is not there", detail, { range }) };
  }
  if (trail.includes(path)) {
    const detail = `${directory} calls it, directly or through other modules. Remove one of these calls.`;
    return { problem: errorDiagnostic("A module cannot contain itself", detail, { range }) };
  }
  const loading = loader.modules.get(path) ?? loadDirectory(directory, trail, loader);
  loader.modules.set(path, loading);
  return { configuration: await loading };
}

const moduleBlocks = (sources: readonly ParsedFile[]): readonly Block[] =>
  sources.flatMap(({ body }) =>
    body.items.filter((item): item is Block => item.kind === "block" && item.type === "module"),
  );

interface Sources {
  readonly files: readonly SourceFile[];
  readonly diagnostics: Diagnostic[];
  /** Whether one could not be read. */
  readonly incomplete: boolean;
}

/** @param mayBeEmpty true for modules: an empty one does nothing */
async function readSources(directory: string, mayBeEmpty: boolean): Promise<Sources> {
  const diagnostics: Diagnostic[] = [];
  const files: SourceFile[] = [];
  const names = await namesIn(directory, diagnostics);
  let incomplete = diagnostics.length > 0;
  const compiled: string[] = [];
  for (const name of names) {
    if (names.includes(`${name}.json`) && sourceForm(name) === "circuit") {
      diagnostics.push(sameOutput(name, directory));
    }
    const file = await readSource(join(directory, name), diagnostics);
    incomplete ||= file === undefined;
    if (file === undefined) continue;
    const problem = checkSource(name, file);
    if (problem !== undefined) diagnostics.push(problem);
    if (readHeader(file.text) !== undefined) compiled.push(name);
    else if (problem?.severity !== "error") files.push(file);
  }
  if (!mayBeEmpty && files.length === 0 && diagnostics.length === 0) {
    diagnostics.push(noConfiguration(directory, compiled));
  }
  return { files, diagnostics, incomplete };
}

async function namesIn(directory: string, diagnostics: Diagnostic[]): Promise<readonly string[]> {
  try {
    const entries = await readdir(directory, { withFileTypes: true });
    return sourceNames(entries.filter((entry) => !entry.isDirectory()).map((entry) => entry.name));
  } catch (error) {
    diagnostics.push(unreadable(directory, error));
    return [];
  }
}

async function readSource(path: string, diagnostics: Diagnostic[]): Promise<SourceFile | undefined> {
  try {
    return sourceFrom(path, await readRegular(path));
  } catch (error) {
    diagnostics.push(unreadable(path, error));
    return undefined;
  }
}

function checkSource(name: string, file: SourceFile): Diagnostic | undefined {
  const header = readHeader(file.text);
  if (header !== undefined) {
    return header.intact
      ? undefined
      : warningDiagnostic(
          `${file.name} was changed by hand`,
          `It is generated from ${header.source}, which is what counts here: the change has no effect. Make it there.`,
        );
  }
  if (isOverride(name)) {
    return errorDiagnostic(
      "Override files are not supported by this version",
      `OpenTofu merges ${file.name} into the other files. Put its settings there.`,
      { range: { file, start: 0, end: 0 } },
    );
  }
  return undefined;
}

function noConfiguration(directory: string, compiled: readonly string[]): Diagnostic {
  const isWorkedIn = directory === ".";
  const where = isWorkedIn ? "this directory" : directory;
  const advice = isWorkedIn ? " `conn3x init -example` writes one to start from." : "";
  return errorDiagnostic(
    "No configuration here",
    compiled.length === 0
      ? `There is no file in ${where} that ends in .circuit.hcl, .tf or .tofu (or one of these and .json).${advice}`
      : `All that is left in ${where} is what circuits were compiled to: ${compiled.join(", ")}. Bring the circuit files back, or remove the rest with conn3x compile.`,
  );
}

const sameOutput = (name: string, directory: string): Diagnostic =>
  errorDiagnostic(
    `${name} and ${name}.json compile to the same file`,
    `Rename one of the two in ${directory}, or merge them.`,
  );
