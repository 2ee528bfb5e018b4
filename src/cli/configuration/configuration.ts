/**
 * @module The configuration of the working directory, with the values of its variables: the start of most commands.
 */

import { type Configuration, loadConfiguration } from "../../compiler/index.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { VariableInput } from "../../engine/index.ts";
import { kinds } from "../../resources/index.ts";
import type { GivenLists } from "../command-line/option.ts";
import { collectVariables } from "./variables.ts";

/** The directory of the configuration: `-chdir` has changed to it. */
export const directory = ".";

export interface ReadConfiguration {
  readonly configuration: Configuration;
  /** Lowest precedence first. */
  readonly variables: readonly VariableInput[];
  readonly diagnostics: readonly Diagnostic[];
}

export async function readConfiguration({ lists }: GivenLists): Promise<ReadConfiguration> {
  const configuration = await loadConfiguration(directory, { kinds });
  const variables = collectVariables(directory, process.env, lists);
  return {
    configuration,
    variables: variables.inputs,
    diagnostics: [...configuration.diagnostics, ...variables.diagnostics],
  };
}
