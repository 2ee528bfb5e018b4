/**
 * @module `conn3x compile`
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { emitHcl } from "../../compiler/emit/hcl.ts";
import { emitJson } from "../../compiler/emit/json.ts";
import { loadConfiguration } from "../../compiler/load.ts";
import type { FileAction } from "../../compiler/outputs.ts";
import { checkOutputs, writeOutputs } from "../../compiler/write-outputs.ts";
import { type Diagnostic, errorDiagnostic, hasErrors } from "../../diagnostics/diagnostic.ts";
import { kinds } from "../../resources/index.ts";
import type { Context, ExitCode } from "../command.ts";

export async function runCompile({ terminal, options }: Context): Promise<ExitCode> {
  const configuration = await loadConfiguration(".", { kinds });
  terminal.report(configuration.diagnostics);
  if (hasErrors(configuration.diagnostics)) return 1;

  const check = options.flag("check");
  const directory = options.value("out") ?? ".";
  const obstacle = check ? undefined : makeDirectory(directory);
  if (obstacle !== undefined) {
    terminal.report([obstacle]);
    return 1;
  }
  const outputs = options.value("format") === "json" ? emitJson(configuration) : emitHcl(configuration);
  const { actions, diagnostics } = await (check ? checkOutputs : writeOutputs)(directory, outputs);
  terminal.report(diagnostics);
  for (const action of actions) terminal.out(`${actionText(action, directory, check)}\n`);
  if (actions.length === 0 && diagnostics.length === 0) terminal.out(upToDate(outputs.size));
  return hasErrors(diagnostics) || (check && actions.length > 0) ? 1 : 0;
}

function makeDirectory(path: string): Diagnostic | undefined {
  try {
    mkdirSync(path, { recursive: true });
    return undefined;
  } catch (error) {
    return errorDiagnostic("Directory cannot be made", `${(error as Error).message}.`);
  }
}

function actionText({ action, name }: FileAction, directory: string, check: boolean): string {
  const path = join(directory, name);
  if (!check) return `${action === "write" ? "Wrote" : "Removed"} ${path}`;
  return action === "write" ? `${path} is not up to date` : `${path} has no circuit file any more`;
}

const upToDate = (count: number): string =>
  count === 0 ? "There is no circuit to compile.\n" : "The compiled files are up to date.\n";
