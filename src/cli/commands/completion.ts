/**
 * @module `conn3x completion`
 */

import { errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { Context, ExitCode } from "../command.ts";
import { completionScript, isShell } from "../command-line/completion-script.ts";
import { commandSet } from "../commands.ts";

export async function runCompletion({ terminal, args }: Context): Promise<ExitCode> {
  const [shell = ""] = args;
  if (!isShell(shell)) {
    terminal.report([
      errorDiagnostic("Unknown shell", `There is completion for bash, zsh and fish, not for "${shell}".`),
    ]);
    return 1;
  }
  terminal.data(completionScript(shell, commandSet));
  return 0;
}
