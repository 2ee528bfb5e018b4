/**
 * @module One call of `conn3x`, from its arguments to its exit code.
 */

import { existsSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { keepHeapSmall } from "../core/index.ts";
import { errorDiagnostic } from "../diagnostics/diagnostic.ts";
import { settingsFile } from "../plugins/settings-file.ts";
import type { ExitCode } from "./command.ts";
import { type Parsed, parseCommandLine } from "./command-line/command-line.ts";
import type { Options } from "./command-line/option.ts";
import type { GlobalOption, HostLogOption } from "./command-line/shared-options.ts";
import { commandSet } from "./commands.ts";
import { limitPrograms } from "./programs.ts";
import { processTerminal, type Terminal } from "./terminal/terminal.ts";

export async function runCli(argv: readonly string[]): Promise<ExitCode> {
  keepHeapSmall();
  const parsed = parseCommandLine(argv, commandSet);
  const plain = parsed.kind === "command" && parsed.options.flag("no-color");
  const terminal = processTerminal(!plain);
  const status = await called(parsed, terminal);
  // What could not be written says so on the next turn.
  await nextTurn();
  if (!terminal.lost.aborted) return status;
  const problem = terminal.problem();
  if (problem !== undefined) terminal.report([problem]);
  return 1;
}

async function called(parsed: Parsed, terminal: Terminal): Promise<ExitCode> {
  if (parsed.kind === "problem") {
    terminal.report([parsed.problem]);
    return 1;
  }
  if (parsed.kind === "help") {
    if (parsed.asked) terminal.out(parsed.text);
    else terminal.err(parsed.text);
    return parsed.asked ? 0 : 1;
  }
  const { command, options, args } = parsed;
  const globals: Options<GlobalOption> = options;
  const directory = globals.value("chdir");
  if (directory !== undefined && !enter(directory)) {
    const detail = `-chdir=${directory} is not a directory that can be entered.`;
    terminal.report([errorDiagnostic("No such directory", detail)]);
    return 1;
  }
  const refused = limitPrograms(command, options);
  if (refused !== undefined) {
    terminal.report([refused]);
    return 1;
  }
  if (command.isWithoutConfiguration !== true && existsSync(settingsFile)) {
    const { loadPlugins } = await import("../plugins/load-plugins.ts");
    const problems = loadPlugins(
      ".",
      process.env,
      options.declaring<HostLogOption>("no-exec")?.flag("no-exec") === true
        ? "-no-exec was given"
        : undefined,
    );
    if (problems.length > 0) {
      terminal.report(problems);
      return 1;
    }
  }
  const run = await command.load();
  return run({ terminal, options, args });
}

function enter(directory: string): boolean {
  try {
    process.chdir(directory);
    return true;
  } catch {
    return false;
  }
}
