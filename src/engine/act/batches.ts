/**
 * @module What a run is about by batches of hosts: those of a later one are looked at when its turn has come.
 */

import { groupBy } from "../../values/group-by.ts";
import type { PlannedInstance } from "../decide/planned-instance.ts";
import type { Fleet } from "../evaluate/hosts/fleet.ts";
import { fleetOf } from "./cells.ts";

/**
 * By {@link batchName}.
 *
 * @param fleets by circuit
 */
export const inBatches = (
  instances: readonly PlannedInstance[],
  fleets: ReadonlyMap<string, Fleet>,
): ReadonlyMap<string, readonly PlannedInstance[]> =>
  groupBy(instances, ({ subject: { circuit, host = "" } }) =>
    batchName(circuit, fleetOf({ fleets }, circuit)?.batchOf.get(host) ?? 0),
  );

/** The first batches of all circuits are one, with what is in none. */
export const batchName = (circuit: string | undefined, batch: number): string =>
  batch === 0 ? "first" : `${batch} ${circuit}`;
