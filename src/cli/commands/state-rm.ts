/**
 * @module `conn3x state rm`
 */
import { type Diagnostic, hasErrors } from "../../diagnostics/diagnostic.ts";
import { type EditOptions, editState } from "../../engine/state/edit.ts";
import type { Context, ExitCode } from "../command.ts";
import { changeStateWith, stateEngineOf } from "../engine-state.ts";
import {
  addressesOf,
  lockTimeoutOf,
  readStored,
  type StoredInstance,
  selectInstances,
  statePlaceOf,
  storedInstances,
} from "../stored.ts";

export async function runStateRm(context: Context): Promise<ExitCode> {
  const { terminal, options, args } = context;
  const engine = stateEngineOf(options);
  if (engine !== undefined)
    return changeStateWith(engine, context, {
      words: ["rm", ...(options.flag("dry-run") ? ["-dry-run"] : [])],
      args,
    });
  let chosen: readonly StoredInstance[] = [];
  const choose = (state: Parameters<typeof storedInstances>[0]): readonly Diagnostic[] => {
    const { selected, problem } = selectInstances(storedInstances(state), args);
    chosen = selected;
    return problem === undefined ? [] : [problem];
  };
  const dry = options.flag("dry-run");
  const edit: EditOptions = {
    path: await statePlaceOf(options),
    operation: "state rm",
    lockTimeout: lockTimeoutOf(options),
  };
  const said = dry
    ? await readStored(options).then(({ file, problem }) => (file === undefined ? [problem] : choose(file)))
    : await editState(edit, (store) => {
        const problems = choose(store.state);
        for (const { resource, stored } of chosen) store.remove(resource, stored.key, stored.deposed);
        return problems;
      });
  terminal.report(said);
  if (hasErrors(said)) return 1;
  const addresses = addressesOf(chosen);
  for (const address of addresses) terminal.out(`${dry ? "Would remove" : "Removed"} ${address}\n`);
  const count = `${addresses.length} ${addresses.length === 1 ? "instance" : "instances"}`;
  terminal.out(
    dry ? `Would forget ${count}.\n` : `Forgot ${count}. What they stand for stays on the hosts.\n`,
  );
  return 0;
}
