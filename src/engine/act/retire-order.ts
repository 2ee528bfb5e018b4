/**
 * @module When an object that was replaced ends: after the new one, all that depends on it, and the old objects
 * of that (U2). No batch of hosts waits for it, since what depends on it may be on hosts of later ones.
 */

import type { PlannedInstance } from "../decide/planned-instance.ts";
import { groupByResource } from "../decide/stored/destroy-order.ts";
import type { LoadedResource } from "../evaluate/load.ts";
import { allMadeName, allRetiredName, type Cell, cellOf, fleetOf, makeName, retireName } from "./cells.ts";
import { dependentsOf, endingLast, type Work, type WorkGroup, type WorkToOrder } from "./work.ts";

export function retireGroups(work: WorkToOrder): readonly WorkGroup[] {
  const { resources } = work.loaded;
  const groups: WorkGroup[] = [];
  for (const [address, instances] of groupByResource(endingLast(work))) {
    const { resource } = resources.get(address)!;
    const dependents = dependentsOf(address, work.loaded).map((name) => resources.get(name)!.resource);
    const cells = byCell(work, resource, instances);
    for (const [name, { cell, tasks }] of cells) {
      const after = dependents.flatMap((dependent) => namesAfter(work, resource, cell, dependent));
      groups.push({ name, after: [makeName(address, cell), ...after], tasks });
    }
    groups.push({ name: allRetiredName(address), after: [...cells.keys()], tasks: [] });
  }
  return groups;
}

/** By the names of their groups. */
function byCell(
  work: WorkToOrder,
  { address, origin }: LoadedResource["resource"],
  instances: readonly PlannedInstance[],
): ReadonlyMap<string, { readonly cell: Cell; readonly tasks: readonly Work[] }> {
  const fleet = fleetOf(work, origin?.circuit);
  const cells = new Map<string, { readonly cell: Cell; readonly tasks: Work[] }>();
  for (const instance of instances) {
    const cell = cellOf(instance, fleet);
    const name = retireName(address, cell);
    const found = cells.get(name) ?? { cell, tasks: [] };
    found.tasks.push({ does: "retire", instance });
    cells.set(name, found);
  }
  return cells;
}

/** Names of the groups of another resource that must be done before what a cell of this one has replaced ends. */
function namesAfter(
  work: WorkToOrder,
  { origin }: LoadedResource["resource"],
  cell: Cell,
  { address, origin: other }: LoadedResource["resource"],
): readonly string[] {
  const isNeighbour = origin !== undefined && other?.circuit === origin.circuit;
  return isNeighbour && origin.runOnce !== true && other.runOnce !== true
    ? [makeName(address, cell), retireName(address, cell)]
    : [allMadeName(address, fleetOf(work, other?.circuit)), allRetiredName(address)];
}
