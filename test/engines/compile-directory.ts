/**
 * @module Compiles the circuits of a directory, as `conn3x compile` does.
 */
import { emitHcl } from "../../src/compiler/emit/hcl.ts";
import { writeOutputs } from "../../src/compiler/outputs/write-outputs.ts";
import { loadConfiguration } from "../../src/compiler/source/load.ts";
import { hasErrors } from "../../src/diagnostics/diagnostic.ts";
import { kinds } from "../../src/resources/index.ts";

/** @throws Error for a configuration with errors */
export async function compileDirectory(directory: string): Promise<void> {
  const configuration = await loadConfiguration(directory, { kinds });
  const { diagnostics } = await writeOutputs(directory, emitHcl(configuration));
  const all = [...configuration.diagnostics, ...diagnostics];
  if (hasErrors(all)) throw new Error(JSON.stringify(all.map(({ summary, detail }) => [summary, detail])));
}
