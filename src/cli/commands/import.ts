/**
 * @module `conn3x import`
 */

import { hasErrors } from "../../diagnostics/diagnostic.ts";
import { importInstance } from "../../engine/index.ts";
import { chosenEngine } from "../../tofu/program/program.ts";
import { importWithEngine } from "../../tofu/state/external-import.ts";
import type { Context, ExitCode } from "../command.ts";
import { poolOptions } from "../command-line/pool-options.ts";
import type {
  EngineOption,
  InputOption,
  LockOption,
  LoginOption,
  StateOption,
} from "../command-line/shared-options.ts";
import { readConfiguration } from "../configuration/configuration.ts";
import { engineVariables } from "../configuration/variables.ts";
import { withSessions } from "../sessions.ts";
import { lockTimeoutOf, stateBackendOf } from "../state/state-backend.ts";
import { concealVariables } from "../terminal/host-log.ts";
import { createReporter } from "../terminal/reporter.ts";

type ImportOption = StateOption | EngineOption | LockOption | LoginOption | InputOption;

export async function runImport({ terminal, options, args }: Context<ImportOption>): Promise<ExitCode> {
  const [address = "", id = ""] = args;
  const report = createReporter(terminal);
  const engine = chosenEngine(options.value("engine"), process.env);
  const { configuration, variables, diagnostics } = await readConfiguration(options);
  report(diagnostics);
  if (hasErrors(diagnostics)) return 1;
  const opened = await poolOptions(options, {
    configuration,
    variables,
    report,
    err: terminal.err,
    otherEngine: engine !== undefined,
  });
  if ("problem" in opened) {
    report([opened.problem]);
    return 1;
  }
  const use = { terminal, report, pool: opened.pool };
  return withSessions(use, async ({ sessions, provider, interrupts, hurry }) => {
    concealVariables(sessions, configuration, variables);
    terminal.out(`${address}: Importing from ${JSON.stringify(id)}...\n`);
    const common = { configuration, lockTimeout: lockTimeoutOf(options), address, id };
    if (engine !== undefined) interrupts.enter("waiting");
    const said = await (engine === undefined
      ? importInstance({
          ...common,
          provider,
          variables,
          statePath: await stateBackendOf(options, configuration),
          events: () => {},
        })
      : importWithEngine({
          ...common,
          engine,
          sessions,
          statePath: options.value("state"),
          variables: engineVariables(options),
          inputs: variables,
          signal: interrupts.signal,
          hurry,
        }));
    report(said);
    if (hasErrors(said)) return 1;
    terminal.out(
      `\n${terminal.colors.bold(terminal.colors.green("Import successful!"))} ${address} is in the state now. conn3x plan says what it would change.\n`,
    );
    return 0;
  });
}
