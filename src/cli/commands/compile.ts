/**
 * @module `conn3x compile`
 */

import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import {
  allDirectories,
  type Configuration,
  checkOutputs,
  type DirectoryOutputs,
  embeddedOnly,
  emitHcl,
  emitJson,
  emitTree,
  type FileAction,
  loadConfiguration,
  type OutputPlan,
  planOutputs,
  removeLeftOutputs,
  withSourceIn,
  writeOutputs,
} from "../../compiler/index.ts";
import { createProvider } from "../../core/index.ts";
import { type Diagnostic, errorDiagnostic, hasErrors } from "../../diagnostics/diagnostic.ts";
import { systemErrorSentence } from "../../diagnostics/system-error.ts";
import { validateHosts } from "../../engine/index.ts";
import { makeDirectory } from "../../files/make-directory.ts";
import { kinds } from "../../resources/index.ts";
import { createSessionPool } from "../../ssh/index.ts";
import type { Context, ExitCode } from "../command.ts";
import type { FlagSpec, ValueSpec } from "../command-line/option.ts";

type CompileOption = FlagSpec<"check"> | ValueSpec<"format" | "out">;

export async function runCompile({ terminal, options }: Context<CompileOption>): Promise<ExitCode> {
  const configuration = await loadConfiguration(".", { kinds, mayBeEmpty: true });
  // Of a compiled file that was changed by hand the writing says what it means here.
  terminal.report(configuration.diagnostics.filter(({ summary }) => !/ was changed by hand$/.test(summary)));
  if (hasErrors(configuration.diagnostics)) return 1;
  const ofHosts = problemsWithHosts(configuration);
  terminal.report(ofHosts);
  if (hasErrors(ofHosts)) return 1;
  terminal.report(allDirectories(configuration).flatMap(embeddedOnly));

  const check = options.flag("check");
  const base = options.value("out") ?? ".";
  const outputs = emitTree(configuration, options.value("format") === "json" ? emitJson : emitHcl);
  let failed = false;
  let changed = false;
  const report = ({ diagnostics, actions }: OutputPlan, directory: string): void => {
    terminal.report(diagnostics);
    for (const action of actions) terminal.out(`${actionText(action, directory, check)}\n`);
    failed ||= hasErrors(diagnostics);
    changed ||= actions.length > 0;
  };
  for (const one of outputs) report(await putOutputs(one, base, check), join(base, one.directory));
  const compiled = new Set(outputs.map(({ directory }) => directory));
  // A directory without a configuration may be anything: a home.
  const left =
    base === "." && configuration.files.length > 0 ? await removeLeftOutputs(base, compiled, check) : [];
  for (const one of left) report(one, one.directory);
  if (!failed && !changed) terminal.out(upToDate(outputs.reduce((sum, one) => sum + one.outputs.size, 0)));
  return failed || (check && changed) ? 1 : 0;
}

/** As far as the text says what they are: what variables will be is not known when compiling, but for their defaults. */
function problemsWithHosts(configuration: Configuration): readonly Diagnostic[] {
  if (allDirectories(configuration).every(({ circuits }) => circuits.length === 0)) return [];
  // Sessions that nobody asks anything open no connection.
  const provider = createProvider({ sessions: createSessionPool() });
  return validateHosts({ configuration, provider, variables: [] });
}

/** @param base what stands for the configuration's directory */
async function putOutputs(
  { directory, outputs }: DirectoryOutputs,
  base: string,
  check: boolean,
): Promise<OutputPlan> {
  const target = join(base, directory);
  const written = new Map(
    [...outputs].map(([name, text]) => [
      name,
      base === "." ? text : withSourceIn(relative(target, directory), text),
    ]),
  );
  const obstacle = base !== "." && directory.startsWith("..") ? outside(directory, base) : undefined;
  if (obstacle !== undefined) return { actions: [], diagnostics: [obstacle] };
  if (check) return existsSync(target) ? checkOutputs(target, written) : planOutputs(written, new Map());
  const problem = madeDirectory(target);
  return problem === undefined ? writeOutputs(target, written) : { actions: [], diagnostics: [problem] };
}

const outside = (directory: string, base: string): Diagnostic =>
  errorDiagnostic(
    `${directory} has no place in ${base}`,
    "The module is outside of this configuration's directory, and so would be its outputs. Compile without -out.",
  );

/** @returns why there is no such directory */
function madeDirectory(path: string): Diagnostic | undefined {
  try {
    makeDirectory(path);
    return undefined;
  } catch (error) {
    return errorDiagnostic("Directory cannot be made", `${path}: ${systemErrorSentence(error)}`);
  }
}

function actionText({ action, name }: FileAction, directory: string, check: boolean): string {
  const path = join(directory, name);
  if (!check) return `${action === "write" ? "Wrote" : "Removed"} ${path}`;
  return action === "write" ? `${path} is not up to date` : `${path} has no circuit file any more`;
}

const upToDate = (count: number): string =>
  count === 0 ? "There is no circuit to compile.\n" : "The compiled files are up to date.\n";
