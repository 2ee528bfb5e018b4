/**
 * @module `conn3x state pull`
 */

import { stateText } from "../../engine/index.ts";
import type { Context, ExitCode } from "../command.ts";
import type { EngineOption, StateOption } from "../command-line/shared-options.ts";
import { readStored } from "../state/state-backend.ts";

/** Prints nothing where there is no state, as OpenTofu does. */
export async function runStatePull({
  terminal,
  options,
}: Context<StateOption | EngineOption>): Promise<ExitCode> {
  const { file, problem } = await readStored(options);
  if (file === undefined) {
    terminal.report([problem]);
    return 1;
  }
  if (file.lineage !== "") terminal.data(stateText(file));
  return 0;
}
