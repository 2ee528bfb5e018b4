/**
 * @module The decision about an instance: that of the attached provider, with what only the engine knows.
 */
import { differences } from "../../revision/compare.ts";
import type { Action, Decision, Reason } from "../../revision/decision.ts";
import { BigFloat } from "../../values/big-float.ts";
import type { Json } from "../../values/json/json-text.ts";
import { unmarkDeep } from "../../values/marks.ts";
import type { Path, PathStep } from "../../values/path.ts";
import { isNull, nullValue, type Value } from "../../values/value.ts";
import type { ProviderLog } from "../provider/provider-log.ts";

export type PlannedAction = Action;

export interface ChangeToExplain {
  readonly type: string;
  readonly action: PlannedAction;
  /** Marked where sensitive; of a create null. */
  readonly before: Value;
  readonly after: Value;
  /** The engine's `action_reason`: `replace_because_tainted` and the like. */
  readonly reason: string | undefined;
  readonly replacePaths: readonly (readonly Json[])[];
}

export interface Circumstances {
  readonly log: ProviderLog;
  /** Whether everything is to be destroyed. */
  readonly destroys: boolean;
  /** Why it was not there any more when it was read; undefined where it was. */
  readonly gone: Reason | undefined;
  /** Whether nothing of its resource stays on its host. */
  readonly hostGoes: boolean;
}

export function decisionAbout(change: ChangeToExplain, circumstances: Circumstances): Decision {
  const { action, type, before, after } = change;
  if (action === "none") return nothing;
  const forced = action === "replace" ? forcedReplacement(change.reason) : undefined;
  const prior = unmarkDeep(before).value;
  const planned = unmarkDeep(after).value;
  // What is replaced whatever it is like was planned as if there was nothing.
  const decided = circumstances.log.decision(
    type,
    forced === undefined ? prior : nullValue(prior.type),
    planned,
  );
  const requiresReplace = change.replacePaths.map(pathFrom);
  const base = decided ?? derived(prior, planned);
  return {
    ...base,
    action,
    reasons: forced === undefined ? reasonsFor(change, base, circumstances, requiresReplace) : [forced],
    requiresReplace: decided?.requiresReplace ?? requiresReplace,
  };
}

/** There is nothing to do. */
export const nothing: Decision = { action: "none", reasons: [], edits: [], drift: [], requiresReplace: [] };

/** Another provider's decision, as far as its plan shows it. */
function derived(prior: Value, planned: Value): Decision {
  return isNull(prior) || isNull(planned) ? nothing : { ...nothing, edits: differences(prior, planned) };
}

function reasonsFor(
  { action, reason }: ChangeToExplain,
  { reasons, edits }: Decision,
  { destroys, gone, hostGoes }: Circumstances,
  requiresReplace: readonly Path[],
): readonly Reason[] {
  switch (action) {
    case "create":
      if (gone !== undefined) return [gone];
      return reasons.length > 0 ? reasons : [{ kind: "create" }];
    case "delete":
      if (reason === "deposed") return [{ kind: "deposed" }];
      if (destroys) return [{ kind: "destroy" }];
      return [{ kind: hostGoes && reason === "delete_because_each_key" ? "host_removed" : "removed" }];
    case "replace":
      return reasons.length > 0 ? reasons : [{ kind: "cannot_update", paths: requiresReplace }];
    default:
      return reasons.length > 0
        ? reasons
        : [{ kind: "config", paths: topLevel(edits.map(({ path }) => path)) }];
  }
}

/** Whatever the instance is like, it is replaced. */
function forcedReplacement(reason: string | undefined): Reason | undefined {
  switch (reason) {
    case "replace_because_tainted":
      return { kind: "last_apply_failed" };
    case "replace_by_request":
      return { kind: "requested" };
    case "replace_by_triggers":
      return { kind: "dependency_updated" };
    default:
      return undefined;
  }
}

/** Attributes, each once. */
function topLevel(paths: readonly Path[]): readonly Path[] {
  const names = paths.flatMap(([step]) =>
    step !== undefined && "attribute" in step ? [step.attribute] : keysOf(step),
  );
  return [...new Set(names)].map((attribute) => [{ attribute }]);
}

const keysOf = (step: PathStep | undefined): readonly string[] =>
  step !== undefined && "key" in step ? [step.key] : [];

const pathFrom = (steps: readonly Json[]): Path =>
  steps.map((step) => (step instanceof BigFloat ? { index: step.toNumber() } : { attribute: String(step) }));
