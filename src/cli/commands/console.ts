/**
 * @module `conn3x console`
 */

import { createInterface } from "node:readline";
import { providerSchema } from "../../core/index.ts";
import { hasErrors } from "../../diagnostics/diagnostic.ts";
import { type Console, openConsole, peekState } from "../../engine/index.ts";
import { createSessionPool } from "../../ssh/index.ts";
import { chosenEngine } from "../../tofu/program/program.ts";
import { consoleOfEngine } from "../../tofu/state/external-console.ts";
import { showValue } from "../../values/show.ts";
import type { Context, ExitCode } from "../command.ts";
import type { EngineOption, StateOption } from "../command-line/shared-options.ts";
import { type ReadConfiguration, readConfiguration } from "../configuration/configuration.ts";
import { engineVariables } from "../configuration/variables.ts";
import { stateBackendOf } from "../state/state-backend.ts";

type ConsoleOption = StateOption | EngineOption;

export async function runConsole(context: Context<ConsoleOption>): Promise<ExitCode> {
  const { terminal, options } = context;
  const { configuration, variables, diagnostics } = await readConfiguration(options);
  const engine = chosenEngine(options.value("engine"), process.env);
  if (engine !== undefined) {
    terminal.report(diagnostics);
    return hasErrors(diagnostics) ? 1 : consoleWith(engine, context, { configuration, variables });
  }
  // Expressions need no configuration.
  const found = diagnostics.filter(({ summary }) => summary !== "No configuration here");
  const { file: state, problem } = await peekState(await stateBackendOf(options, configuration));
  terminal.report(problem === undefined ? found : [...found, problem]);
  if (hasErrors(found) || state === undefined) return 1;
  const opened = openConsole({
    configuration: { ...configuration, diagnostics: found },
    schema: providerSchema,
    variables,
    state,
  });
  terminal.report(opened.diagnostics);
  return opened.console === undefined ? 1 : answerLines(context, opened.console);
}

/** Another engine has a console of its own, which ^C is for. */
async function consoleWith(
  engine: string,
  { terminal, options }: Context<ConsoleOption>,
  { configuration, variables }: Pick<ReadConfiguration, "configuration" | "variables">,
): Promise<ExitCode> {
  const ignored = (): void => undefined;
  process.on("SIGINT", ignored);
  const sessions = createSessionPool();
  try {
    const { status, diagnostics } = await consoleOfEngine({
      engine,
      configuration,
      sessions,
      statePath: options.value("state"),
      lockTimeout: 0,
      variables: engineVariables(options),
      inputs: variables,
    });
    terminal.report(diagnostics);
    return status === 0 ? 0 : 1;
  } finally {
    process.off("SIGINT", ignored);
    await sessions.close();
  }
}

/** On a terminal until ^D, `exit` or `quit`; of a pipe every line, up to the first that fails. */
async function answerLines({ terminal }: Context<ConsoleOption>, console: Console): Promise<ExitCode> {
  const live = process.stdin.isTTY === true;
  const lines = createInterface({
    input: process.stdin,
    ...(live ? { output: process.stdout, prompt: "> " } : {}),
    terminal: live,
  });
  if (live) lines.prompt();
  try {
    for await (const line of lines) {
      if (line.trim() === "exit" || line.trim() === "quit") return 0;
      if (line.trim() !== "" && !answer(terminal, console, line) && !live) return 1;
      if (live) lines.prompt();
    }
  } finally {
    lines.close();
  }
  return 0;
}

function answer(terminal: Context["terminal"], console: Console, line: string): boolean {
  const { value, type, diagnostics } = console.evaluate(line);
  terminal.report(diagnostics);
  if (value === undefined) return false;
  terminal.out(`${type ?? showValue(value)}\n`);
  return true;
}
