/**
 * @module `conn3x validate`
 */

import { allDirectories, type Configuration, loadConfiguration } from "../../compiler/index.ts";
import { createProvider } from "../../core/index.ts";
import { type Diagnostic, hasErrors, warningDiagnostic } from "../../diagnostics/diagnostic.ts";
import { inFileOrder } from "../../diagnostics/file-order.ts";
import { validateJson } from "../../diagnostics/json.ts";
import {
  configurationsOf,
  type ForeignBlock,
  foreignBlocks,
  validateConfiguration,
  validateHosts,
} from "../../engine/index.ts";
import { kinds } from "../../resources/index.ts";
import { createSessionPool } from "../../ssh/index.ts";
import { validateWithEngine } from "../../tofu/program/engine-commands.ts";
import { chosenEngine } from "../../tofu/program/program.ts";
import type { Context, ExitCode } from "../command.ts";
import type { FlagSpec, GivenLists } from "../command-line/option.ts";
import type { EngineOption } from "../command-line/shared-options.ts";
import { collectVariables, readAsFarAsPossible } from "../configuration/variables.ts";
import { withSessions } from "../sessions.ts";

type ValidateOption = EngineOption | FlagSpec<"json">;

const directory = ".";

export async function runValidate({ terminal, options }: Context<ValidateOption>): Promise<ExitCode> {
  const configuration = await loadConfiguration(directory, { kinds });
  const engine = chosenEngine(options.value("engine"), process.env);
  const beyond =
    engine === undefined
      ? problemsBeyond(configuration, options.lists)
      : await problemsFrom(engine, configuration, { terminal, options });
  const files = allDirectories(configuration).flatMap((one) => one.files);
  const diagnostics = inFileOrder([...configuration.diagnostics, ...beyond], files);
  const valid = !hasErrors(diagnostics);
  if (options.flag("json")) {
    terminal.json(`${JSON.stringify(validateJson(diagnostics), undefined, 2)}\n`);
    return valid ? 0 : 1;
  }
  terminal.report(diagnostics);
  if (valid) {
    const { bold, green } = terminal.colors;
    const warned = diagnostics.length > 0 ? ", but there were some validation warnings as shown above" : "";
    terminal.out(`${bold(green("Success!"))} The configuration is valid${warned}.\n`);
  }
  return valid ? 0 : 1;
}

/** Problems that the compiler does not find: in values, and blocks that the embedded engine does not support. */
function problemsBeyond(configuration: Configuration, lists: GivenLists["lists"]): readonly Diagnostic[] {
  const given = collectVariables(directory, process.env, lists);
  if (configuration.incomplete) return given.diagnostics;
  const variables = readAsFarAsPossible(given, configuration.variables.keys());
  // Sessions that nobody asks anything open no connection.
  const provider = createProvider({ sessions: createSessionPool() });
  const found = validateConfiguration({ configuration, provider, variables });
  const foreign = [...configurationsOf(configuration)].flatMap((one) =>
    foreignBlocks(one.configuration, one.path.length > 0),
  );
  // A module that is called twice is one text.
  const blocks = new Map(foreign.map((one) => [one.range, one]));
  return [...given.diagnostics, ...found, ...[...blocks.values()].map(notHere)];
}

/** Problems with hosts, which other engines do not check, and those that another engine finds. */
async function problemsFrom(
  engine: string,
  configuration: Configuration,
  { terminal, options }: Pick<Context<ValidateOption>, "terminal" | "options">,
): Promise<readonly Diagnostic[]> {
  const { inputs, diagnostics } = collectVariables(directory, process.env, options.lists);
  if (hasErrors([...configuration.diagnostics, ...diagnostics])) return diagnostics;
  // What is warned of belongs to what is found, which may be shown as JSON.
  return withSessions({ terminal, report: () => undefined }, async (open) => {
    const { sessions, provider, interrupts, hurry } = open;
    interrupts.enter("waiting");
    const ofHosts = validateHosts({ configuration, provider, variables: inputs });
    if (hasErrors(ofHosts)) return [...diagnostics, ...ofHosts];
    const use = { engine, configuration, sessions, statePath: undefined, signal: interrupts.signal, hurry };
    return [...diagnostics, ...(await validateWithEngine(use))];
  });
}

const notHere = ({ range, why }: ForeignBlock): Diagnostic =>
  warningDiagnostic(
    "Not for the embedded engine",
    `${why} Use -engine=tofu or -engine=terraform: that engine checks what is in it, too.`,
    { range },
  );
