/**
 * @module Planning one instance: `src/revision` decides, this fills in what every kind has.
 */

import type { Kind } from "../resources/kind.ts";
import type { Outcome } from "../revision/decide.ts";
import { decide, decideDelete } from "../revision/decide.ts";
import type { ResourceDiff } from "../revision/resource-diff.ts";
import { isNull } from "../values/value.ts";
import { type Context, diagnosticOf } from "./context.ts";
import { decodePrivate, lastApplied } from "./private-data.ts";
import type { PlanRequest, PlanResponse } from "./provider.ts";

export async function planResource(context: Context, request: PlanRequest): Promise<PlanResponse> {
  const kind = context.kinds.get(request.type)!;
  try {
    const { planned, decision, diagnostics } = outcome(kind, request);
    return {
      planned,
      decision,
      diagnostics,
      requiresReplace: decision.requiresReplace,
      private: request.priorPrivate,
    };
  } catch (error) {
    return {
      planned: request.prior,
      decision: { action: "none", reasons: [], edits: [], drift: [], requiresReplace: [] },
      requiresReplace: [],
      private: request.priorPrivate,
      diagnostics: [diagnosticOf(error)],
    };
  }
}

function outcome(kind: Kind, { config, prior, priorPrivate }: PlanRequest): Outcome {
  if (isNull(config)) return decideDelete(prior, { kind: "removed" });
  const data = decodePrivate(kind.schema, priorPrivate);
  const applied = isNull(prior) ? prior : lastApplied(prior, data);
  return decide({ ...kind, plan: (diff) => planWithId(kind, diff) }, { config, prior, lastApplied: applied });
}

/** `id` says which object on its host it is: known as soon as that is, and renewed with it. */
function planWithId(kind: Kind, diff: ResourceDiff): void {
  const names = idAttributes(kind);
  if (!names.every((name) => diff.isKnown(name))) diff.setNewComputed("id");
  else {
    const object = Object.fromEntries(names.map((name) => [name, diff.get(name)]));
    diff.setNew("id", kind.role === "step" ? kind.facts.key(object) : kind.id(object));
  }
  kind.plan?.(diff);
}

/** A step's object is known by its identity; an action by its required settings. */
const idAttributes = (kind: Kind): readonly string[] =>
  Object.entries(kind.schema.attributes)
    .filter(([, attribute]) => (kind.role === "step" ? attribute.identity : attribute.required) ?? false)
    .map(([name]) => name);
