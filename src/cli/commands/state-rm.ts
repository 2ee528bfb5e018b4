/**
 * @module `conn3x state rm`
 */
import { type Diagnostic, hasErrors } from "../../diagnostics/diagnostic.ts";
import { editState } from "../../engine/state/edit.ts";
import type { Context, ExitCode } from "../command.ts";
import { parseDuration } from "../option.ts";
import { readStored, selectInstances, statePathOf, storedInstances } from "../stored.ts";

export async function runStateRm({ terminal, options, args }: Context): Promise<ExitCode> {
  const removed: string[] = [];
  const remove = (file: Parameters<typeof storedInstances>[0], drop: (r: string, k: StateKey) => void) => {
    const { selected, problem } = selectInstances(storedInstances(file), args);
    for (const { address, resource, stored } of selected) {
      drop(resource, stored.key);
      removed.push(address);
    }
    return problem === undefined ? [] : [problem];
  };
  const dry = options.flag("dry-run");
  const said: readonly Diagnostic[] = dry
    ? await readStored(options).then(({ file, problem }) =>
        file === undefined ? [problem] : remove(file, () => {}),
      )
    : await editState(
        {
          path: statePathOf(options),
          operation: "state rm",
          lockTimeout: parseDuration(options.value("lock-timeout") ?? "0s") ?? 0,
        },
        (store) => remove(store.state, (resource, key) => store.remove(resource, key)),
      );
  terminal.report(said);
  if (hasErrors(said)) return 1;
  for (const address of removed) terminal.out(`${dry ? "Would remove" : "Removed"} ${address}\n`);
  const count = `${removed.length} ${removed.length === 1 ? "instance" : "instances"}`;
  terminal.out(
    dry ? `Would forget ${count}.\n` : `Forgot ${count}. What they stand for stays on the hosts.\n`,
  );
  return 0;
}

type StateKey = Parameters<typeof import("../../engine/state/state.ts").instanceAddress>[1];
