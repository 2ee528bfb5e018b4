/**
 * @module `conn3x output`
 */

import { errorDiagnostic, warningDiagnostic } from "../../diagnostics/diagnostic.ts";
import { didYouMean } from "../../diagnostics/nearest.ts";
import { visible } from "../../diagnostics/visible.ts";
import { outputValue, outputValues, type StateOutput } from "../../engine/index.ts";
import { convert, isConversionError } from "../../values/convert.ts";
import { unmarkDeep } from "../../values/marks.ts";
import { showValue } from "../../values/show.ts";
import { stringType } from "../../values/type.ts";
import type { Context, ExitCode } from "../command.ts";
import type { FlagSpec } from "../command-line/option.ts";
import type { EngineOption, StateOption } from "../command-line/shared-options.ts";
import { compactJson, outputsJson } from "../json/output-json.ts";
import { outputText } from "../render/state.ts";
import { readStored } from "../state/state-backend.ts";

type OutputOption = StateOption | EngineOption | FlagSpec<"json" | "raw">;

export async function runOutput(context: Context<OutputOption>): Promise<ExitCode> {
  const { terminal, options, args } = context;
  const { file, problem } = await readStored(options);
  if (file === undefined) {
    terminal.report([problem]);
    return 1;
  }
  const { outputs } = file;
  const [name] = args;
  if (name === undefined) return showAll(context, outputs);
  const output = outputs.get(name);
  if (output !== undefined) return showOne(context, name, output);
  const detail = `The state has no output "${name}".${didYouMean(name, outputs.keys())} An apply stores those that are configured.`;
  terminal.report([errorDiagnostic("There is no such output", detail)]);
  return 1;
}

function showAll(
  { terminal, options }: Context<OutputOption>,
  outputs: ReadonlyMap<string, StateOutput>,
): ExitCode {
  if (options.flag("raw")) {
    terminal.report([errorDiagnostic("-raw needs a name", "Only one output can be printed as it is.")]);
    return 1;
  }
  if (options.flag("json")) terminal.json(`${outputsJson(outputs)}\n`);
  else if (outputs.size === 0) terminal.report([noOutputs]);
  else terminal.out(outputText(outputValues(outputs)));
  return 0;
}

/** A sensitive output is shown when it is named. */
function showOne({ terminal, options }: Context<OutputOption>, name: string, output: StateOutput): ExitCode {
  if (options.flag("json")) {
    terminal.json(`${compactJson(output.value)}\n`);
    return 0;
  }
  const stored = outputValue(output);
  if (stored === undefined) {
    terminal.report([
      errorDiagnostic(`Output "${name}" cannot be read`, "Another version of Conn3x wrote it."),
    ]);
    return 1;
  }
  const { value } = unmarkDeep(stored);
  if (!options.flag("raw")) {
    terminal.out(`${visible(showValue(value))}\n`);
    return 0;
  }
  const text = convert(value, stringType);
  if (isConversionError(text) || typeof text.value.data !== "string") {
    terminal.report([
      errorDiagnostic(
        `Output "${name}" is not a string`,
        "-raw prints strings, numbers and booleans. Use -json.",
      ),
    ]);
    return 1;
  }
  terminal.data(text.value.data);
  return 0;
}

const noOutputs = warningDiagnostic(
  "No outputs found",
  "The state holds none: either the configuration declares none, or nothing was applied yet.",
);
