/**
 * @module `conn3x state show`
 */

import type { Context, ExitCode } from "../command.ts";
import type { EngineOption, StateOption } from "../command-line/shared-options.ts";
import { readStored } from "../state/state-backend.ts";
import { selectInstances, storedInstances } from "../state/stored.ts";
import { showInstances } from "./show.ts";

export async function runStateShow({
  terminal,
  options,
  args,
}: Context<StateOption | EngineOption>): Promise<ExitCode> {
  const { file, problem } = await readStored(options);
  if (file === undefined) {
    terminal.report([problem]);
    return 1;
  }
  // As OpenTofu: what a replacement left is in conn3x show.
  const current = storedInstances(file).filter(({ stored }) => stored.deposed === undefined);
  const { selected, problem: missing } = selectInstances(current, args);
  if (missing !== undefined) {
    terminal.report([missing]);
    return 1;
  }
  return showInstances(terminal, selected, { outputs: new Map() });
}
