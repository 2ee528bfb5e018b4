/**
 * @module The work of a run, before it is ordered.
 */
import type { PlannedInstance } from "../decide/planned-instance.ts";
import type { Fleet } from "../evaluate/hosts/fleet.ts";
import type { Loaded } from "../evaluate/load.ts";
import type { TaskGroup } from "./schedule.ts";

/**
 * Ends what is there, makes what is to be, ends what that replaced, or decides whether a batch of hosts may
 * begin.
 */
export type Work =
  | { readonly does: "end" | "make" | "retire"; readonly instance: PlannedInstance }
  | { readonly does: "open"; readonly fleet: Fleet; readonly batch: number };

export type WorkGroup = TaskGroup<Work>;

export interface WorkToOrder {
  readonly loaded: Loaded;
  readonly deletes: readonly PlannedInstance[];
  readonly others: readonly PlannedInstance[];
  /** By circuit. */
  readonly fleets: ReadonlyMap<string, Fleet>;
}

/** Instances whose object ends before anything is made: those that are deleted, and old halves of replacements. */
export const endingFirst = ({
  deletes,
  others,
  loaded,
}: Omit<WorkToOrder, "fleets">): readonly PlannedInstance[] => [
  ...deletes.filter((instance) => !isLeftOver(instance, loaded)),
  ...others.filter(({ decision }) => decision.action === "replace" && decision.createFirst !== true),
];

/** Instances of which an old object ends when everything that depends on it is done (U2). */
export const endingLast = ({
  deletes,
  others,
  loaded,
}: Omit<WorkToOrder, "fleets">): readonly PlannedInstance[] => [
  ...deletes.filter((instance) => isLeftOver(instance, loaded)),
  ...others.filter(({ decision }) => decision.action === "replace" && decision.createFirst === true),
];

/** What an earlier run left of a replacement that was made first: its dependents still come before its end. */
const isLeftOver = ({ deposed, resource }: PlannedInstance, { resources }: Loaded): boolean =>
  deposed !== undefined && resources.has(resource);

/** Addresses of all resources that come after one, directly or not. */
export const dependentsOf = (address: string, { resources }: Loaded): readonly string[] =>
  [...resources].filter(([, { allAfter }]) => allAfter.includes(address)).map(([name]) => name);
