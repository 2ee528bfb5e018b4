/**
 * @module Changes of the state that another engine makes: it says what it did in its own words.
 */
import { type Diagnostic, hasErrors } from "../diagnostics/diagnostic.ts";
import { createSessionPool } from "../ssh/session-pool.ts";
import { changeEngineState } from "../tofu/engine-commands.ts";
import { chosenEngine } from "../tofu/program.ts";
import type { Context, ExitCode } from "./command.ts";
import { readConfiguration } from "./configuration.ts";
import { type Options, parseDuration } from "./option.ts";

/** The engine that is to do it; undefined: the embedded one. */
export const stateEngineOf = (options: Options): string | undefined =>
  chosenEngine(options.value("engine"), process.env);

/**
 * @param words the command after `state`, with its own options
 * @param args what comes after all options
 */
export async function changeStateWith(
  engine: string,
  { terminal, options }: Context,
  words: readonly string[],
  args: readonly string[],
): Promise<ExitCode> {
  const { configuration } = await readConfiguration({ lists: [] });
  const sessions = createSessionPool();
  let said: readonly Diagnostic[];
  try {
    const lockTimeout = parseDuration(options.value("lock-timeout") ?? "0s") ?? 0;
    const { output, diagnostics } = await changeEngineState(
      { engine, configuration, sessions, statePath: options.value("state") },
      { words, args, lockTimeout },
    );
    terminal.out(output);
    said = diagnostics;
  } finally {
    await sessions.close();
  }
  terminal.report(said);
  return hasErrors(said) ? 1 : 0;
}
