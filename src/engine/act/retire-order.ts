/**
 * @module When what a new object took the place of ends: after the new one, all that depends on it, and the old objects
 * of that (U2). No batch of hosts waits for it, since what depends on it may be on hosts of later ones.
 */
import { groupByResource } from "../decide/destroy-order.ts";
import type { PlannedInstance } from "../decide/planned-instance.ts";
import type { LoadedResource } from "../load/load.ts";
import { type Cell, cellOf, cellsOf, fleetOf, makeName, retireName } from "./cells.ts";
import { dependentsOf, endingLast, type Work, type WorkGroup, type WorkToOrder } from "./work.ts";

export function retireGroups(work: WorkToOrder): readonly WorkGroup[] {
  const { resources } = work.loaded;
  const groups: WorkGroup[] = [];
  for (const [address, instances] of groupByResource(endingLast(work))) {
    const { resource } = resources.get(address)!;
    const dependents = dependentsOf(address, work.loaded).map((name) => resources.get(name)!.resource);
    for (const [name, { cell, tasks }] of byCell(work, resource, instances)) {
      const after = dependents.flatMap((dependent) =>
        cellsAfter(work, resource, cell, dependent).flatMap((other) => [
          makeName(dependent.address, other),
          retireName(dependent.address, other),
        ]),
      );
      groups.push({ name, after: [makeName(address, cell), ...after], tasks });
    }
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

/** Cells of another resource that must be done before what a cell of this one has replaced ends. */
function cellsAfter(
  work: WorkToOrder,
  { origin }: LoadedResource["resource"],
  cell: Cell,
  { origin: other }: LoadedResource["resource"],
): readonly Cell[] {
  const isNeighbour = origin !== undefined && other?.circuit === origin.circuit;
  if (isNeighbour && origin.runOnce !== true && other.runOnce !== true) return [cell];
  return cellsOf(fleetOf(work, other?.circuit));
}
