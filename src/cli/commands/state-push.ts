/**
 * @module `conn3x state push`
 */
import { readFileSync } from "node:fs";
import { errorDiagnostic, hasErrors } from "../../diagnostics/diagnostic.ts";
import { systemErrorText } from "../../diagnostics/system-error.ts";
import { pushState } from "../../engine/state/edit.ts";
import type { Context, ExitCode } from "../command.ts";
import { parseDuration } from "../option.ts";
import { statePathOf } from "../stored.ts";

export async function runStatePush({ terminal, options, args }: Context): Promise<ExitCode> {
  const [path = ""] = args;
  let text: string;
  try {
    text = readFileSync(path === "-" ? 0 : path, "utf8");
  } catch (error) {
    terminal.report([errorDiagnostic("State cannot be read", `${path}: ${systemErrorText(error)}.`)]);
    return 1;
  }
  const edit = {
    path: statePathOf(options),
    operation: "state push",
    lockTimeout: parseDuration(options.value("lock-timeout") ?? "0s") ?? 0,
  };
  const said = await pushState(edit, text, options.flag("force"));
  terminal.report(said);
  return hasErrors(said) ? 1 : 0;
}
