/**
 * @module How the work on a resource is divided, and what its parts are called: by batches of hosts, by hosts, or not at
 * all.
 */
import type { PlannedInstance } from "../decide/planned-instance.ts";
import type { Fleet } from "../evaluate/hosts/fleet.ts";

/** Part of a resource's instances that is begun together. */
export interface Cell {
  readonly batch: number;
  /** Only where each host goes on by itself; `""` holds what is on no host that has work. */
  readonly host: string | undefined;
}

const wholeResource: readonly Cell[] = [{ batch: 0, host: undefined }];

export function cellsOf(fleet: Fleet | undefined): readonly Cell[] {
  if (fleet === undefined) return wholeResource;
  if (fleet.order === "step")
    return Array.from({ length: fleet.batches }, (_, batch) => ({ batch, host: undefined }));
  return [{ batch: 0, host: "" }, ...[...fleet.batchOf].map(([host, batch]) => ({ batch, host }))];
}

export function cellOf({ subject: { host = "" } }: PlannedInstance, fleet: Fleet | undefined): Cell {
  const batch = fleet?.batchOf.get(host);
  if (fleet === undefined || fleet.order === "step") return { batch: batch ?? 0, host: undefined };
  return batch === undefined ? { batch: 0, host: "" } : { batch, host };
}

/** Name of the work that makes a cell's objects. */
export const makeName = (resource: string, cell: Cell): string => `make ${resource} ${cellName(cell)}`;

/** Of a group without work that stands for all cells of the batches up to one: whoever waits for many names only this. */
export const madeName = (resource: string, batch: number): string => `made ${resource} ${batch}`;

/** Name of the group for the objects of all cells of all batches. */
export const allMadeName = (resource: string, fleet: Fleet | undefined): string =>
  madeName(resource, (fleet?.batches ?? 1) - 1);

/** Name of the group for the end of all objects that a resource's new ones replaced. */
export const allRetiredName = (resource: string): string => `retired ${resource}`;

/** Name of the work that ends the replaced objects of a cell. */
export const retireName = (resource: string, cell: Cell): string => `retire ${resource} ${cellName(cell)}`;

const cellName = ({ batch, host }: Cell): string => `${batch}${host === undefined ? "" : ` ${host}`}`;

export const fleetOf = (
  { fleets }: { readonly fleets: ReadonlyMap<string, Fleet> },
  circuit: string | undefined,
): Fleet | undefined => (circuit === undefined ? undefined : fleets.get(circuit));
