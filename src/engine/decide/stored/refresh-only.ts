/**
 * @module A plan that only updates the state from the hosts.
 */
import { differences } from "../../../revision/compare.ts";
import { isNull } from "../../../values/value.ts";
import type { Loaded } from "../../evaluate/load.ts";
import { storedVariables } from "../../evaluate/variables/ephemeral.ts";
import type { Plan } from "../../plan.ts";
import { goneFrom } from "../plan-instance.ts";
import { type PlannedInstance, plannedChange } from "../planned-instance.ts";
import { type Refreshed, type RefreshedInstances, stateChanged } from "./refresh.ts";

/** What differs from the state is shown as drift; nothing is planned. */
export function refreshOnlyPlan(
  refreshed: RefreshedInstances,
  loaded: Loaded,
  diagnostics: Plan["diagnostics"],
): Plan {
  const all = [...refreshed.values()].flatMap((instances) => [...instances.values()]);
  return {
    mode: "refresh-only",
    changes: all.map((instance) => plannedChange(observed(instance, loaded), undefined, instance)),
    outputs: [],
    diagnostics,
    stateChanged: stateChanged(refreshed),
    variables: storedVariables(loaded),
    planTime: loaded.planTime,
  };
}

function observed(instance: Refreshed, loaded: Loaded): PlannedInstance {
  const { subject, resource, key, type, before, object } = instance;
  const gone = isNull(object);
  const drift = gone ? [] : differences(before, object);
  return {
    subject,
    resource,
    key,
    type,
    loaded: loaded.resources.get(resource),
    existing: { ...instance, object: before },
    priorPrivate: instance.private,
    unsettled: false,
    self: {},
    config: object,
    planned: object,
    plannedPrivate: instance.private,
    marks: instance.marks,
    accesses: [],
    decision: {
      action: "none",
      reasons: gone ? [goneFrom(instance.rebuilt)] : drift.length > 0 ? [{ kind: "drift" }] : [],
      edits: [],
      drift,
      requiresReplace: [],
    },
  };
}
