/**
 * @module `conn3x state list`
 */

import type { Context, ExitCode } from "../command.ts";
import type { EngineOption, StateOption } from "../command-line/shared-options.ts";
import { readStored } from "../state/state-backend.ts";
import { addressesOf, selectInstances, storedInstances } from "../state/stored.ts";

export async function runStateList({
  terminal,
  options,
  args,
}: Context<StateOption | EngineOption>): Promise<ExitCode> {
  const { file, problem } = await readStored(options);
  if (file === undefined) {
    terminal.report([problem]);
    return 1;
  }
  const all = storedInstances(file);
  const { selected, problem: missing } =
    args.length === 0 ? { selected: all, problem: undefined } : selectInstances(all, args);
  if (missing !== undefined) {
    terminal.report([missing]);
    return 1;
  }
  for (const address of addressesOf(selected)) terminal.out(`${address}\n`);
  if (args.length === 0) for (const { address } of file.foreign) terminal.out(`${address}\n`);
  return 0;
}
