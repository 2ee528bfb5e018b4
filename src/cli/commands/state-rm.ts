/**
 * @module `conn3x state rm`
 */

import type { Context, ExitCode } from "../command.ts";
import type { StateEditOption } from "../state/edit-stored.ts";
import { editStored } from "../state/edit-stored.ts";
import { addressesOf, type StoredInstance, selectInstances } from "../state/stored.ts";

export function runStateRm(context: Context<StateEditOption>): Promise<ExitCode> {
  const { terminal, args } = context;
  return editStored<StoredInstance>(context, {
    word: "rm",
    find(instances) {
      const { selected, problem } = selectInstances(instances, args);
      return { found: selected, ...(problem === undefined ? {} : { problem }) };
    },
    carryOut(store, found) {
      for (const { resource, stored } of found) store.remove(resource, stored.key, stored.deposed);
    },
    report(found, dry) {
      const addresses = addressesOf(found);
      for (const address of addresses) terminal.out(`${dry ? "Would remove" : "Removed"} ${address}\n`);
      const count = `${addresses.length} ${addresses.length === 1 ? "instance" : "instances"}`;
      terminal.out(
        dry ? `Would forget ${count}.\n` : `Forgot ${count}. What they stand for stays on the hosts.\n`,
      );
    },
  });
}
