/**
 * @module Which commands may start programs on this machine: those that log in to hosts, for proxy commands and `ssh`, and
 * those for which another engine was chosen. `-no-exec` takes it from the first.
 */

import { type Diagnostic, errorDiagnostic } from "../diagnostics/diagnostic.ts";
import { startNoPrograms } from "../programs/start.ts";
import { chosenEngine } from "../tofu/program/program.ts";
import type { Command } from "./command.ts";
import type { Options } from "./command-line/option.ts";
import type { EngineOption, GlobalOption, HostLogOption } from "./command-line/shared-options.ts";

/** Its throw-away host is a process of this machine. */
const runsItsOwn = ["demo"];

/** Called before a command is: nothing of a configuration was read yet. @returns why it cannot be called so */
export function limitPrograms({ name }: Command, options: Options<GlobalOption>): Diagnostic | undefined {
  const engines = options.declaring<EngineOption>("engine");
  const engine = engines && chosenEngine(engines.value("engine"), process.env);
  const noExec = options.declaring<HostLogOption>("no-exec")?.flag("no-exec");
  const [logsIn, isRefused] = [noExec !== undefined, noExec === true];
  if (isRefused && engine !== undefined)
    return errorDiagnostic(
      "-no-exec and -engine exclude each other",
      `${engine} is a program, and starts others: providers, and what a configuration has it run. -engine=embedded starts none.`,
    );
  if (isRefused || (!logsIn && engine === undefined && !runsItsOwn.includes(name))) startNoPrograms();
  return undefined;
}
