/**
 * @module `conn3x init`
 */

import { existsSync, writeFileSync } from "node:fs";
import type { Configuration } from "../../compiler/index.ts";
import { type Diagnostic, errorDiagnostic, hasErrors } from "../../diagnostics/diagnostic.ts";
import { systemErrorSentence } from "../../diagnostics/system-error.ts";
import { configurationsOf, foreignProblems, initBackend } from "../../engine/index.ts";
import { prepareEngine } from "../../tofu/program/engine-commands.ts";
import { chosenEngine } from "../../tofu/program/program.ts";
import type { Context, ExitCode } from "../command.ts";
import type { FlagSpec, ListSpec } from "../command-line/option.ts";
import type { EngineOption, LockOption } from "../command-line/shared-options.ts";
import { readConfiguration } from "../configuration/configuration.ts";
import { exampleText } from "../configuration/example.ts";
import { withSessions } from "../sessions.ts";
import { lockTimeoutOf } from "../state/state-backend.ts";

type InitOption =
  | LockOption
  | EngineOption
  | ListSpec<"backend-config">
  | FlagSpec<"example" | "migrate-state" | "reconfigure">;

const example = "main.circuit.hcl";

/**
 * There is nothing to fetch for the embedded engine: the provider is built in. So it looks at the configuration, or
 * writes one to start from. Another engine gets its own preparation.
 */
export async function runInit({ terminal, options }: Context<InitOption>): Promise<ExitCode> {
  if (options.flag("example") && !writeExample(terminal)) return 1;
  const { configuration } = await readConfiguration({ lists: [] });
  terminal.report(configuration.diagnostics);
  if (hasErrors(configuration.diagnostics)) return 1;
  const engine = chosenEngine(options.value("engine"), process.env);
  const foreign = engine === undefined ? foreignIn(configuration) : [];
  terminal.report(foreign);
  if (hasErrors(foreign)) return 1;
  if (engine === undefined && !(await prepareBackend(configuration, { terminal, options }))) return 1;
  const prepared =
    engine === undefined ? undefined : await prepareIt(engine, configuration, { terminal, options });
  terminal.report(prepared?.diagnostics ?? []);
  if (hasErrors(prepared?.diagnostics ?? [])) return 1;
  const { bold, green } = terminal.colors;
  const { circuits, resources } = configuration;
  terminal.out(
    `${bold(green("Conn3x is ready."))} Circuits: ${circuits.map(({ name }) => name).join(", ") || "none"}; ` +
      `${resources.length} ${resources.length === 1 ? "resource" : "resources"}.\n\n` +
      (prepared?.program === undefined
        ? "There was nothing to download. Next: conn3x plan.\n"
        : `${prepared.program.product} ${prepared.program.version} is prepared. Next: conn3x plan -engine=${engine}.\n`),
  );
  return 0;
}

/** Errors about blocks that the embedded engine does not support, once for a module that is called twice. */
function foreignIn(configuration: Configuration): readonly Diagnostic[] {
  const found = [...configurationsOf(configuration)].flatMap((one) =>
    foreignProblems(one.configuration, one.path.length > 0),
  );
  return [...new Map(found.map((one) => [one.range, one])).values()];
}

/** @returns whether it is ready; says what it did */
async function prepareBackend(
  configuration: Configuration,
  { terminal, options }: Pick<Context<InitOption>, "terminal" | "options">,
): Promise<boolean> {
  const { type, name, copied, diagnostics } = await initBackend({
    configuration,
    environment: process.env,
    given: options.list("backend-config"),
    elsewhere: options.flag("reconfigure") ? "leave" : options.flag("migrate-state") ? "migrate" : "refuse",
    lockTimeout: lockTimeoutOf(options),
  });
  terminal.report(diagnostics);
  if (hasErrors(diagnostics)) return false;
  if (copied !== undefined)
    terminal.out(`Copied the state (${copied} ${copied === 1 ? "instance" : "instances"}) to ${name}.\n`);
  if (type !== undefined && type !== "local") terminal.out(`The state is at ${name} (backend ${type}).\n`);
  return true;
}

const prepareIt = (
  engine: string,
  configuration: Configuration,
  { terminal, options }: Pick<Context<InitOption>, "terminal" | "options">,
) =>
  withSessions({ terminal, report: terminal.report }, ({ sessions, interrupts, hurry }) => {
    interrupts.enter("waiting");
    const { signal } = interrupts;
    const words = [
      ...options.list("backend-config").map((given) => `-backend-config=${given}`),
      // Nobody is asked: who gives the option has decided.
      ...(options.flag("migrate-state") ? ["-migrate-state", "-force-copy"] : []),
      ...(options.flag("reconfigure") ? ["-reconfigure"] : []),
      ...(options.value("lock-timeout") === undefined ? [] : [`-lock-timeout=${lockTimeoutOf(options)}ms`]),
    ];
    return prepareEngine({ engine, configuration, sessions, statePath: undefined, signal, hurry }, words);
  });

function writeExample(terminal: Context["terminal"]): boolean {
  if (existsSync(example)) {
    terminal.report([
      errorDiagnostic(`${example} is there already`, "It was left alone. Choose an empty directory."),
    ]);
    return false;
  }
  try {
    writeFileSync(example, exampleText, { flag: "wx" });
  } catch (error) {
    terminal.report([errorDiagnostic("File cannot be written", `${example}: ${systemErrorSentence(error)}`)]);
    return false;
  }
  terminal.out(`Wrote ${example}: put your hosts into it.\n\n`);
  return true;
}
