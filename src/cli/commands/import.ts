/**
 * @module `conn3x import`
 */
import { errorDiagnostic, hasErrors } from "../../diagnostics/diagnostic.ts";
import { importInstance } from "../../engine/import-instance.ts";
import { chosenEngine } from "../../tofu/program.ts";
import { askedSecrets, isUnanswered } from "../asked-secrets.ts";
import type { Context, ExitCode } from "../command.ts";
import { readConfiguration } from "../configuration.ts";
import { concealVariables, isLogProblem, openHostLog } from "../host-log.ts";
import { createReporter } from "../reporter.ts";
import { withSessions } from "../sessions.ts";
import { lockTimeoutOf, statePlaceOf } from "../stored.ts";

export async function runImport({ terminal, options, args }: Context): Promise<ExitCode> {
  const [address = "", id = ""] = args;
  const report = createReporter(terminal);
  if (chosenEngine(undefined, process.env) !== undefined) {
    report([onlyEmbedded]);
    return 1;
  }
  const { configuration, variables, diagnostics } = await readConfiguration(options);
  report(diagnostics);
  if (hasErrors(diagnostics)) return 1;
  const secrets = await askedSecrets(options);
  if (isUnanswered(secrets)) {
    report([secrets]);
    return 1;
  }
  const log = openHostLog(options, {
    configuration,
    variables,
    report,
    err: terminal.err,
    otherEngine: false,
  });
  if (isLogProblem(log)) {
    report([log]);
    return 1;
  }
  const use = { terminal, report, pool: { ...secrets, ...log }, onlyLooks: true };
  return withSessions(use, async ({ sessions, provider }) => {
    concealVariables(sessions, configuration, variables);
    terminal.out(`${address}: Importing from ${JSON.stringify(id)}...\n`);
    const said = await importInstance({
      configuration,
      provider,
      variables,
      statePath: await statePlaceOf(options, configuration),
      lockTimeout: lockTimeoutOf(options),
      address,
      id,
      events: () => {},
    });
    report(said);
    if (hasErrors(said)) return 1;
    terminal.out(
      `\n${terminal.colors.bold(terminal.colors.green("Import successful!"))} ${address} is in the state now. conn3x plan says what it would change.\n`,
    );
    return 0;
  });
}

const onlyEmbedded = errorDiagnostic(
  "This is for the embedded engine",
  "CONN3X_ENGINE names another one: use its own import command, or an import block.",
);
