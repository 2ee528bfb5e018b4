/**
 * @module Changes of the state that another engine makes: it says what it did in its own words.
 */

import { hasErrors } from "../../diagnostics/diagnostic.ts";
import {
  changeEngineState,
  type Reported,
  type StateCommand,
  unlockEngineState,
} from "../../tofu/program/engine-commands.ts";
import { chosenEngine } from "../../tofu/program/program.ts";
import type { SessionOptions } from "../../tofu/program/session.ts";
import type { Context, ExitCode } from "../command.ts";
import type { Options } from "../command-line/option.ts";
import type { EngineOption, LockOption, StateOption } from "../command-line/shared-options.ts";
import { readConfiguration } from "../configuration/configuration.ts";
import { withSessions } from "../sessions.ts";
import { lockTimeoutOf } from "./state-backend.ts";

/** The engine that is to do it; undefined: the embedded one. */
export const stateEngineOf = (options: Options<EngineOption>): string | undefined =>
  chosenEngine(options.value("engine"), process.env);

export const changeStateWith = (
  engine: string,
  context: Context<StateOption | LockOption>,
  command: Omit<StateCommand, "lockTimeout">,
): Promise<ExitCode> =>
  reported(engine, context, (session) =>
    changeEngineState(session, { ...command, lockTimeout: lockTimeoutOf(context.options) }),
  );

/** The lock's id is the command's argument. */
export const unlockStateWith = (engine: string, context: Context<StateOption>): Promise<ExitCode> =>
  reported(engine, context, (session) => unlockEngineState(session, context.args[0] ?? ""));

/** Does it and prints what the engine said. */
async function reported(
  engine: string,
  { terminal, options }: Context<StateOption>,
  work: (session: SessionOptions) => Promise<Reported>,
): Promise<ExitCode> {
  const { configuration } = await readConfiguration({ lists: [] });
  const report = terminal.report;
  const { output, diagnostics } = await withSessions(
    { terminal, report },
    ({ sessions, interrupts, hurry }) => {
      interrupts.enter("waiting");
      const { signal } = interrupts;
      const statePath = options.value("state");
      return work({ engine, configuration, sessions, statePath, signal, hurry });
    },
  );
  terminal.out(output);
  terminal.report(diagnostics);
  return hasErrors(diagnostics) ? 1 : 0;
}
