/**
 * @module `conn3x force-unlock`
 */

import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { Context, ExitCode } from "../command.ts";
import type { FlagSpec } from "../command-line/option.ts";
import type { EngineOption, StateOption } from "../command-line/shared-options.ts";
import { stateEngineOf, unlockStateWith } from "../state/engine-state.ts";
import { stateBackendOf } from "../state/state-backend.ts";
import { isApproved, nobodyToAsk } from "../terminal/approval.ts";

type UnlockOption = StateOption | EngineOption | FlagSpec<"force">;

export async function runForceUnlock(context: Context<UnlockOption>): Promise<ExitCode> {
  const { terminal, options, args } = context;
  const engine = stateEngineOf(options);
  if (engine !== undefined) {
    if (options.value("state") !== undefined) {
      terminal.report([ownBackendOnly]);
      return 1;
    }
    return (await isWanted(context, "the state")) ? unlockStateWith(engine, context) : 1;
  }
  const [id = ""] = args;
  const backend = await stateBackendOf(options);
  if (!(await isWanted(context, backend.name))) return 1;
  try {
    const problem = await backend.forceUnlock(id);
    if (problem === undefined) {
      terminal.out(`The state is unlocked: ${backend.name}.\n`);
      return 0;
    }
    terminal.report([problem]);
    return 1;
  } finally {
    await backend.close();
  }
}

async function isWanted({ terminal, options }: Context<UnlockOption>, name: string): Promise<boolean> {
  if (options.flag("force")) return true;
  const question = {
    command: "Force-unlock",
    question: "Do you want to end the lock?",
    explanation: `The lock of ${name} will be ended. When a run goes on, both may write the state then.`,
    unasked: "-force",
  } as const;
  if (terminal.interactive) return isApproved(terminal, question);
  terminal.report([nobodyToAsk(question)]);
  return false;
}

const ownBackendOnly: Diagnostic = errorDiagnostic(
  "-state is for the embedded engine",
  "Other engines end locks only where the configuration has the state. Leave -state out, or -engine.",
);
