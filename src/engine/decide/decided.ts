/**
 * @module Everything that was decided, and the plan of it that is shown.
 */

import type { Fleet } from "../evaluate/hosts/fleet.ts";
import type { Problems } from "../evaluate/problems.ts";
import type { Expansion } from "../evaluate/resources/expansion.ts";
import { storedVariables } from "../evaluate/variables/ephemeral.ts";
import type { Plan, PlannedChange } from "../plan.ts";
import { dependantsOfReplaced } from "./dependants.ts";
import { sharedObjects } from "./objects/shared-objects.ts";
import { staysOnHost } from "./objects/stays-on-host.ts";
import { objectName, type PlannedInstance, plannedChange } from "./planned-instance.ts";
import type { Planning } from "./planning.ts";
import { withReasons } from "./reasons.ts";
import type { Moves } from "./stored/moves.ts";
import { type Refreshed, type RefreshedInstances, stateChanged } from "./stored/refresh.ts";

export interface Decided {
  readonly plan: Plan;
  readonly refreshed: RefreshedInstances;
  readonly moves: Moves;
  /** What earlier runs began to make and did not end, as it is on the hosts. */
  readonly begun: RefreshedInstances;
  /** Old objects that earlier runs left, as they are on the hosts. */
  readonly deposed: readonly Refreshed[];
  /** Deletes, dependents first; those of old objects too. */
  readonly deletes: readonly PlannedInstance[];
  /** All that stays or comes, in dependency order; unchanged ones too. */
  readonly others: readonly PlannedInstance[];
  readonly expansions: ReadonlyMap<string, Expansion>;
  /** How circuits go through their hosts, where it is not step after step over all of them. */
  readonly fleets: ReadonlyMap<string, Fleet>;
  /** Objects, by {@link objectName}, that something else holds as well on the host: they are only forgotten. */
  readonly forgotten: ReadonlySet<string>;
}

/** Puts together what was decided about each instance. */
export function decided(
  { loaded, mode, selection, moves, refreshed, begun, deposed, expansions, planned }: Planning,
  deletes: readonly PlannedInstance[],
  outputs: Plan["outputs"],
  fleets: Decided["fleets"],
  problems: Problems,
): Decided {
  const others = withReasons([...loaded.resources.keys()].flatMap((address) => planned.get(address) ?? []));
  const ending = [...deletes, ...replacedOf(others)];
  const shared = sharedObjects(ending, others);
  const staying = ending.flatMap((instance) => {
    const holder = shared.get(objectName(instance));
    return holder === undefined ? [] : [{ address: instance.subject.address, holder }];
  });
  for (const warning of staysOnHost(staying)) problems.report(warning);
  const left = deletes.filter(({ decision: { keeps } }) => keeps === "host_gone" || keeps === "forgotten");
  const dependants = dependantsOfReplaced(others);
  const plan: Plan = {
    mode,
    isPartial: selection.isPartial,
    changes: [...deletes, ...others]
      .map((instance) => keptWhereShared(instance, shared))
      .map((instance) =>
        plannedChange(
          instance,
          moves.get(instance.subject.address),
          refreshed.get(instance.resource)?.get(instance.key),
        ),
      )
      .map((change) => withDependants(change, dependants)),
    outputs,
    diagnostics: problems.all,
    stateChanged: stateChanged(refreshed),
    variables: storedVariables(loaded),
    planTime: loaded.planTime,
  };
  const forgotten = new Set([...shared.keys(), ...left.map(objectName)]);
  return { plan, refreshed, moves, begun, deposed, deletes, others, expansions, fleets, forgotten };
}

function withDependants(
  change: PlannedChange,
  dependants: ReadonlyMap<string, readonly string[]>,
): PlannedChange {
  const addresses = change.deposed === undefined ? dependants.get(change.address) : undefined;
  return addresses === undefined ? change : { ...change, dependants: addresses };
}

/** An object that something else holds too stays on its host. */
function keptWhereShared(instance: PlannedInstance, shared: ReadonlyMap<string, string>): PlannedInstance {
  const holder = shared.get(objectName(instance));
  if (holder === undefined) return instance;
  const keeps = holder === instance.subject.address ? "same_object" : "shared";
  return { ...instance, decision: { ...instance.decision, keeps } };
}

/** Instances whose old object ends. */
const replacedOf = (instances: readonly PlannedInstance[]): readonly PlannedInstance[] =>
  instances.filter(({ decision }) => decision.action === "replace");
