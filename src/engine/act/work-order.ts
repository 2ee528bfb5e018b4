/**
 * @module In which order the work of a run is done, as groups for {@link runGroups}: what ends before what is made,
 * step after step over all hosts, or batch after batch of them, or each host by itself; last what was replaced by
 * something that was made first.
 */

import { groupBy } from "../../values/group-by.ts";
import type { PlannedInstance } from "../decide/planned-instance.ts";
import { destroyDependencies, groupByResource } from "../decide/stored/destroy-order.ts";
import type { Fleet } from "../evaluate/hosts/fleet.ts";
import type { LoadedResource } from "../evaluate/load.ts";
import { allMadeName, type Cell, cellOf, cellsOf, fleetOf, madeName, makeName } from "./cells.ts";
import { retireGroups } from "./retire-order.ts";
import { endingFirst, type WorkGroup as Group, type Work, type WorkToOrder } from "./work.ts";

export function workOrder(work: WorkToOrder): readonly Group[] {
  const ends = endGroups(work);
  const makes = makeGroups(work);
  return [...ends, ...gates([...ends, ...makes], work), ...makes, ...retireGroups(work)];
}

const endName = (resource: string, batch: number): string => `end ${resource} ${batch}`;
const endedName = (circuit: string, batch: number): string => `ended ${circuit} ${batch}`;
const gateName = (circuit: string, batch: number): string => `open ${circuit} ${batch}`;

/** Stands for everything that ends outside of circuits with batches. */
const everythingEnded = "ended";

/** Dependents first. A batch's hosts lose what they lose when its turn has come, so nothing else waits for that. */
function endGroups(work: WorkToOrder): readonly Group[] {
  const byResource = groupByResource(endingFirst(work));
  const dependents = destroyDependencies(byResource, work.loaded);
  const groups: Group[] = [];
  const ended = new Map<string, string[]>([[everythingEnded, []]]);
  for (const [resource, before] of dependents) {
    const instances = byResource.get(resource)!;
    const { circuit } = instances[0]!.subject;
    const fleet = fleetOf(work, circuit);
    const inBatches = fleet !== undefined && fleet.batches > 1;
    const isNeighbour = (other: string) => byResource.get(other)![0]!.subject.circuit === circuit;
    const waitsFor = before.filter(
      (other) =>
        isNeighbour(other) || (fleetOf(work, byResource.get(other)![0]!.subject.circuit)?.batches ?? 1) === 1,
    );
    const batches = groupBy(instances, (instance) => (inBatches ? cellOf(instance, fleet).batch : 0));
    for (let batch = 0; batch < (inBatches ? fleet.batches : 1); batch++) {
      const name = endName(resource, batch);
      const tasks = (batches.get(batch) ?? []).map((instance): Work => ({ does: "end", instance }));
      const gate = inBatches && batch > 0 ? [gateName(fleet.circuit, batch)] : [];
      const after = waitsFor.map((other) => endName(other, isNeighbour(other) ? batch : 0));
      groups.push({ name, after: [...after, ...gate], tasks });
      const join = inBatches ? endedName(fleet.circuit, batch) : everythingEnded;
      if (ended.get(join)?.push(name) === undefined) ended.set(join, [name]);
    }
  }
  return [...groups, ...[...ended].map(([name, after]): Group => ({ name, after, tasks: [] }))];
}

function makeGroups(work: WorkToOrder): readonly Group[] {
  const { loaded } = work;
  const byResource = groupByResource(work.others.filter(({ decision }) => decision.action !== "none"));
  const groups: Group[] = [];
  for (const [address, { resource, after }] of loaded.resources) {
    const fleet = fleetOf(work, resource.origin?.circuit);
    const tasks = new Map<string, Work[]>();
    for (const instance of byResource.get(address) ?? []) {
      const name = makeName(address, cellOf(instance, fleet));
      const task: Work = { does: "make", instance };
      if (tasks.get(name)?.push(task) === undefined) tasks.set(name, [task]);
    }
    const cells = cellsOf(fleet);
    groups.push(...madeGroups(address, cells, fleet?.batches ?? 1));
    for (const cell of cells) {
      const name = makeName(address, cell);
      const before = after.flatMap((other) => cellsBefore(work, resource, cell, loaded.resources.get(other)));
      const gate = fleet !== undefined && cell.batch > 0 ? [gateName(fleet.circuit, cell.batch)] : [];
      const ended = fleet === undefined ? [] : [endedName(fleet.circuit, cell.batch)];
      groups.push({
        name,
        after: [everythingEnded, ...ended, ...gate, ...before],
        tasks: tasks.get(name) ?? [],
      });
    }
  }
  return groups;
}

/** What of a resource is made when the cells of one batch after the other are. */
function madeGroups(address: string, cells: readonly Cell[], batches: number): readonly Group[] {
  const after = Array.from({ length: batches }, (_, batch): string[] =>
    batch === 0 ? [] : [madeName(address, batch - 1)],
  );
  for (const cell of cells) after[cell.batch]!.push(makeName(address, cell));
  return after.map((names, batch) => ({ name: madeName(address, batch), after: names, tasks: [] }));
}

/** Names of the groups of another resource that must be done before a cell of this one begins. */
function cellsBefore(
  work: WorkToOrder,
  { origin }: LoadedResource["resource"],
  cell: Cell,
  other: LoadedResource | undefined,
): readonly string[] {
  if (other === undefined) return [];
  const { address, origin: otherOrigin } = other.resource;
  const isNeighbour = origin !== undefined && otherOrigin?.circuit === origin.circuit;
  if (!isNeighbour) return [allMadeName(address, fleetOf(work, otherOrigin?.circuit))];
  // What runs once, on the first host, comes before what all the others do.
  return [otherOrigin.runOnce === true ? madeName(address, cell.batch) : makeName(address, cell)];
}

/** A batch begins when all of the one before it is done. */
function gates(groups: readonly Group[], { fleets }: WorkToOrder): readonly Group[] {
  const members = new Map<string, Set<string>>();
  for (const { name, tasks } of groups) {
    for (const task of tasks) {
      const next = task.does === "open" ? undefined : gateAfter(task.instance, fleets);
      if (next === undefined) continue;
      members.set(next, (members.get(next) ?? new Set<string>()).add(name));
    }
  }
  return [...fleets.values()].flatMap((fleet) =>
    Array.from({ length: fleet.batches - 1 }, (_, i): Group => {
      const batch = i + 1;
      const name = gateName(fleet.circuit, batch);
      const before = batch > 1 ? [gateName(fleet.circuit, batch - 1)] : [];
      return {
        name,
        after: [...before, ...(members.get(name) ?? [])],
        tasks: [{ does: "open", fleet, batch }],
      };
    }),
  );
}

/** Name of the gate that waits for an instance. */
function gateAfter(
  { subject: { circuit, host = "" } }: PlannedInstance,
  fleets: ReadonlyMap<string, Fleet>,
): string | undefined {
  const fleet = circuit === undefined ? undefined : fleets.get(circuit);
  return fleet && gateName(fleet.circuit, (fleet.batchOf.get(host) ?? 0) + 1);
}
