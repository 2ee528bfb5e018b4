/**
 * @module One call of `conn3x`, from its arguments to its exit code.
 */
import { errorDiagnostic } from "../diagnostics/diagnostic.ts";
import type { ExitCode } from "./command.ts";
import { parseCommandLine } from "./command-line.ts";
import { commands, globalOptions } from "./commands.ts";
import { processTerminal } from "./terminal.ts";

export async function runCli(argv: readonly string[]): Promise<ExitCode> {
  const parsed = parseCommandLine(argv, commands, globalOptions);
  const plain = parsed.kind === "command" && parsed.options.flag("no-color");
  const terminal = processTerminal(!plain);
  if (parsed.kind === "problem") {
    terminal.report([parsed.problem]);
    return 1;
  }
  if (parsed.kind === "help") {
    if (parsed.asked) terminal.out(parsed.text);
    else terminal.err(parsed.text);
    return parsed.asked ? 0 : 1;
  }
  const { command, options } = parsed;
  const directory = options.value("chdir");
  if (directory !== undefined && !enter(directory)) {
    const detail = `-chdir=${directory} is no directory that can be entered.`;
    terminal.report([errorDiagnostic("No such directory", detail)]);
    return 1;
  }
  const run = await command.load();
  return run({ terminal, options });
}

function enter(directory: string): boolean {
  try {
    process.chdir(directory);
    return true;
  } catch {
    return false;
  }
}
