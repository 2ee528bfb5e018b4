/**
 * @module `conn3x state push`
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errorDiagnostic, hasErrors } from "../../diagnostics/diagnostic.ts";
import { systemErrorText } from "../../diagnostics/system-error.ts";
import { pushState } from "../../engine/state/edit.ts";
import type { Context, ExitCode } from "../command.ts";
import { changeStateWith, stateEngineOf } from "../engine-state.ts";
import { parseDuration } from "../option.ts";
import { statePathOf } from "../stored.ts";

export async function runStatePush(context: Context): Promise<ExitCode> {
  const { terminal, options, args } = context;
  const [path = ""] = args;
  let text: string;
  try {
    text = readFileSync(path === "-" ? 0 : path, "utf8");
  } catch (error) {
    terminal.report([errorDiagnostic("State cannot be read", `${path}: ${systemErrorText(error)}.`)]);
    return 1;
  }
  const engine = stateEngineOf(options);
  if (engine !== undefined) return pushWith(engine, context, text);
  const edit = {
    path: statePathOf(options),
    operation: "state push",
    lockTimeout: parseDuration(options.value("lock-timeout") ?? "0s") ?? 0,
  };
  const said = await pushState(edit, text, options.flag("force"));
  terminal.report(said);
  return hasErrors(said) ? 1 : 0;
}

/** The engine gets a file: it may have come from standard input, which the engine does not read. */
async function pushWith(engine: string, context: Context, text: string): Promise<ExitCode> {
  const directory = mkdtempSync(join(tmpdir(), "conn3x-push-"));
  try {
    const path = join(directory, "state");
    writeFileSync(path, text, { mode: 0o600 });
    return await changeStateWith(
      engine,
      context,
      ["push", ...(context.options.flag("force") ? ["-force"] : [])],
      [path],
    );
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
