/**
 * @module Which commands may start programs on this machine: those that log in to hosts, for proxy commands and `ssh`, and
 * those for which another engine was chosen. `-no-exec` takes it from the first.
 */
import { type Diagnostic, errorDiagnostic } from "../diagnostics/diagnostic.ts";
import { startNoPrograms } from "../programs/start.ts";
import { chosenEngine } from "../tofu/program/program.ts";
import type { Command } from "./command.ts";
import type { Options } from "./command-line/option.ts";

/** Its throw-away host is a process of this machine. */
const runsItsOwn = ["demo"];

/** Called before a command is: nothing of a configuration was read yet. @returns why it cannot be called so */
export function limitPrograms({ name }: Command, options: Options): Diagnostic | undefined {
  const engine = options.has("engine") ? chosenEngine(options.value("engine"), process.env) : undefined;
  const logsIn = options.has("no-exec");
  const isRefused = logsIn && options.flag("no-exec");
  if (isRefused && engine !== undefined)
    return errorDiagnostic(
      "-no-exec and -engine exclude each other",
      `${engine} is a program, and starts others: providers, and what a configuration has it run. -engine=embedded starts none.`,
    );
  if (isRefused || (!logsIn && engine === undefined && !runsItsOwn.includes(name))) startNoPrograms();
  return undefined;
}
