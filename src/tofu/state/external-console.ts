/**
 * @module The engine's own console. It reads and writes the standard streams of this process.
 */
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { VariableInput } from "../../engine/index.ts";
import { runOnTerminal } from "../program/engine-process.ts";
import { preparation } from "../program/prepare.ts";
import { openSession, type SessionOptions } from "../program/session.ts";
import { type RunSettings, variableArguments } from "../run/plan-run.ts";

export interface ExternalConsoleOptions extends SessionOptions, Omit<RunSettings, "parallelism"> {
  /** Values of variables; lowest precedence first. */
  readonly inputs: readonly VariableInput[];
}

export interface ConsoleEnd {
  /** Exit status of the engine's console; 1 when it could not be started. */
  readonly status: number;
  readonly diagnostics: readonly Diagnostic[];
}

export async function consoleOfEngine(options: ExternalConsoleOptions): Promise<ConsoleEnd> {
  const opened = await openSession(options, { prepare: preparation(options), reads: false });
  if (opened.session === undefined) return { status: 1, diagnostics: opened.problems };
  const { session } = opened;
  try {
    const { program, environment } = session.engine;
    const place = options.statePath === undefined ? [] : [`-state=${options.statePath}`];
    const args = ["console", ...variableArguments(options), ...place];
    return { status: await runOnTerminal(program, args, environment), diagnostics: [] };
  } finally {
    await session.close();
  }
}
