/**
 * @module `conn3x state push`
 */

import { readFileSync } from "node:fs";
import { errorDiagnostic, hasErrors } from "../../diagnostics/diagnostic.ts";
import { systemErrorSentence } from "../../diagnostics/system-error.ts";
import { pushState } from "../../engine/index.ts";
import { readRegularSync } from "../../files/read-regular.ts";
import type { Context, ExitCode } from "../command.ts";
import type { FlagSpec } from "../command-line/option.ts";
import type { EngineOption, LockOption, StateOption } from "../command-line/shared-options.ts";
import { changeStateWith, stateEngineOf } from "../state/engine-state.ts";
import { lockTimeoutOf, stateBackendOf } from "../state/state-backend.ts";

export async function runStatePush(
  context: Context<StateOption | EngineOption | LockOption | FlagSpec<"force">>,
): Promise<ExitCode> {
  const { terminal, options, args } = context;
  const [path = ""] = args;
  let text: string;
  try {
    text = path === "-" ? readFileSync(0, "utf8") : readRegularSync(path, { pipes: true }).toString("utf8");
  } catch (error) {
    terminal.report([errorDiagnostic("State cannot be read", `${path}: ${systemErrorSentence(error)}`)]);
    return 1;
  }
  const engine = stateEngineOf(options);
  const force = options.flag("force");
  if (engine !== undefined) {
    const words = ["push", ...(force ? ["-force"] : [])];
    return changeStateWith(engine, context, { words, args: [], input: text });
  }
  const edit = {
    path: await stateBackendOf(options),
    operation: "state push",
    lockTimeout: lockTimeoutOf(options),
  };
  const said = await pushState(edit, text, force);
  terminal.report(said);
  return hasErrors(said) ? 1 : 0;
}
