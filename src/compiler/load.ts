/**
 * @module Reads a configuration directory.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Diagnostic, errorDiagnostic, warningDiagnostic } from "../diagnostics/diagnostic.ts";
import { SourceFile } from "../diagnostics/source.ts";
import { compileFiles } from "./compile.ts";
import type { KindRegistry } from "./declaration.ts";
import { readHeader } from "./generated.ts";
import type { Configuration } from "./model.ts";
import { isOverride, sourceForm, sourceNames } from "./source-set.ts";

export interface LoadOptions {
  readonly kinds: KindRegistry;
}

/**
 * Reads and compiles the configuration of a directory. Nothing is thrown for what is wrong in it or with it: the
 * result's diagnostics say so.
 *
 * @param directory as the user named it; names of files in diagnostics start with it
 */
export async function loadConfiguration(directory: string, options: LoadOptions): Promise<Configuration> {
  const { files, diagnostics } = await readSources(directory);
  return compileFiles(files, { directory, kinds: options.kinds, diagnostics });
}

interface Sources {
  readonly files: readonly SourceFile[];
  readonly diagnostics: readonly Diagnostic[];
}

async function readSources(directory: string): Promise<Sources> {
  const diagnostics: Diagnostic[] = [];
  const files: SourceFile[] = [];
  const names = await namesIn(directory, diagnostics);
  for (const name of names) {
    if (names.includes(`${name}.json`) && sourceForm(name) === "circuit") {
      diagnostics.push(sameOutput(name, directory));
    }
    const file = await readSource(join(directory, name), diagnostics);
    if (file === undefined) continue;
    const problem = checkSource(name, file);
    if (problem !== undefined) diagnostics.push(problem);
    if (problem?.severity !== "error" && readHeader(file.text) === undefined) files.push(file);
  }
  if (files.length === 0 && diagnostics.length === 0) {
    diagnostics.push(
      errorDiagnostic(
        "No configuration here",
        `There is no file that ends in .circuit.hcl, .tf or .tofu (or one of these and .json) in ${directory}.`,
      ),
    );
  }
  return { files, diagnostics };
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
    const bytes = await readFile(path);
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
    return new SourceFile(path, text);
  } catch (error) {
    diagnostics.push(unreadable(path, error));
    return undefined;
  }
}

function checkSource(name: string, file: SourceFile): Diagnostic | undefined {
  const range = { file, start: 0, end: 0 };
  const header = readHeader(file.text);
  if (header !== undefined) {
    return header.intact
      ? undefined
      : warningDiagnostic(
          `${file.name} was changed by hand`,
          `It is generated from ${header.source}, which is what counts here: the change has no effect. Make it there.`,
          { range },
        );
  }
  if (isOverride(name)) {
    return errorDiagnostic(
      "Override files are not supported by this version",
      `OpenTofu merges ${file.name} into the other files. Put its settings there.`,
      { range },
    );
  }
  return undefined;
}

const sameOutput = (name: string, directory: string): Diagnostic =>
  errorDiagnostic(
    `${name} and ${name}.json compile to the same file`,
    `Rename one of the two in ${directory}, or merge them.`,
  );

const unreadable = (path: string, error: unknown): Diagnostic =>
  errorDiagnostic(
    `Cannot read ${path}`,
    error instanceof TypeError ? "It is not text in UTF-8." : `${(error as Error).message}.`,
  );
