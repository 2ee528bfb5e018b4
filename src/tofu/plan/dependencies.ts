/**
 * @module Says which changes of other instances are behind one that comes from others (X4): those that its
 * configuration refers to.
 */
import type { PlannedChange } from "../../engine/index.ts";
import { isChanging, type Referred, withCauses } from "../../revision/causes.ts";
import { resourceOf } from "./subjects.ts";

/** Configured resources by address, dependencies first. */
export interface ConfiguredOrder {
  readonly resources: ReadonlyMap<
    string,
    {
      /** Addresses of the resources that it refers to, directly or through values that have a name. */
      readonly references: readonly string[];
    }
  >;
}

export function withDependencies(
  changes: readonly PlannedChange[],
  { resources }: ConfiguredOrder,
): readonly PlannedChange[] {
  const all = indexOf(changes);
  const changing = indexOf(changes.filter(isChanging));
  return changes.map((change) => {
    const among = (index: Index) => () =>
      (resources.get(resourceOf(change))?.references ?? []).flatMap((resource) =>
        referredTo(change, index.get(resource)),
      );
    const referred: Referred = { all: among(all), changing: among(changing) };
    const decision = withCauses(change.decision, change.role === "handler", referred);
    return decision === change.decision ? change : { ...change, decision };
  });
}

interface Instances {
  readonly all: PlannedChange[];
  readonly byPlace: Map<string, PlannedChange[]>;
  /** Circuits that have some of them: the resource's, and none for what is not configured any more. */
  readonly circuits: Set<string | undefined>;
}

/** By the address of the resource. */
type Index = ReadonlyMap<string, Instances>;

function indexOf(changes: readonly PlannedChange[]): Index {
  const index = new Map<string, Instances>();
  for (const change of changes) {
    const resource = resourceOf(change);
    const instances: Instances = index.get(resource) ?? { all: [], byPlace: new Map(), circuits: new Set() };
    index.set(resource, instances);
    instances.all.push(change);
    instances.circuits.add(change.circuit);
    const place = placeOf(change);
    const others = instances.byPlace.get(place);
    if (others === undefined) instances.byPlace.set(place, [change]);
    else others.push(change);
  }
  return index;
}

const placeOf = ({ circuit, host }: PlannedChange): string => JSON.stringify([circuit, host]);

/** A circuit's instance that looks at another step means that step on its own host. */
function referredTo(change: PlannedChange, instances: Instances | undefined): readonly PlannedChange[] {
  if (instances === undefined) return [];
  const { all, byPlace, circuits } = instances;
  if (change.circuit === undefined || !circuits.has(change.circuit)) return all;
  if (circuits.size === 1) return byPlace.get(placeOf(change)) ?? [];
  return all.filter(({ circuit, host }) => circuit !== change.circuit || host === change.host);
}
