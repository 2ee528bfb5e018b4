/**
 * @module `conn3x force-unlock`
 */
import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { Context, ExitCode } from "../command.ts";
import { stateEngineOf, unlockStateWith } from "../state/engine-state.ts";
import { statePlaceOf } from "../state/state-place.ts";
import { isApproved, nobodyToAsk } from "../terminal/approval.ts";

export async function runForceUnlock(context: Context): Promise<ExitCode> {
  const { terminal, options, args } = context;
  const engine = stateEngineOf(options);
  if (engine !== undefined) {
    if (options.value("state") !== undefined) {
      terminal.report([ownPlaceOnly]);
      return 1;
    }
    return (await isWanted(context, "the state")) ? unlockStateWith(engine, context) : 1;
  }
  const [id = ""] = args;
  const place = await statePlaceOf(options);
  if (!(await isWanted(context, place.name))) return 1;
  try {
    const problem = await place.forceUnlock(id);
    if (problem === undefined) {
      terminal.out(`The state is unlocked: ${place.name}.\n`);
      return 0;
    }
    terminal.report([problem]);
    return 1;
  } finally {
    await place.close();
  }
}

async function isWanted({ terminal, options }: Context, name: string): Promise<boolean> {
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

const ownPlaceOnly: Diagnostic = errorDiagnostic(
  "-state is for the embedded engine",
  "Other engines end locks only where the configuration has the state. Leave -state out, or -engine.",
);
