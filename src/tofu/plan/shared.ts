/**
 * @module Keeps an object on a host from being deleted under one address while another address holds it, as the embedded
 * engine does: other engines know nothing of objects, and would delete what was just made.
 */
import { identitiesOf, providerSchema } from "../../core/index.ts";
import { type Plan, type PlannedChange, type StayingObject, staysOnHost } from "../../engine/index.ts";
import { unmarkDeep } from "../../values/marks.ts";
import type { Value } from "../../values/value.ts";
import type { ProviderLog } from "../provider/provider-log.ts";

/** Says so in the plan, and has the attached provider keep to it. */
export function keepingShared(plan: Plan, log: ProviderLog): Plan {
  const ends = ({ decision: { action } }: PlannedChange): boolean =>
    action === "delete" || action === "replace";
  if (!plan.changes.some(ends)) return plan;
  const holders = new Map<string, string>();
  for (const change of plan.changes) {
    for (const identity of identitiesIn(change, change.after)) holders.set(identity, change.address);
  }
  const staying: StayingObject[] = [];
  const changes = plan.changes.map((change): PlannedChange => {
    const identities = ends(change) ? identitiesIn(change, change.before) : [];
    const holder = identities.map((identity) => holders.get(identity)).find((found) => found !== undefined);
    if (holder === undefined || holder === change.address) return change;
    staying.push({ address: change.address, holder });
    log.keep(change.type, unmarkDeep(change.before).value, "shared");
    return { ...change, decision: { ...change.decision, keeps: "shared" } };
  });
  return { ...plan, changes, diagnostics: [...plan.diagnostics, ...staysOnHost(staying)] };
}

function identitiesIn({ type }: PlannedChange, object: Value): readonly string[] {
  const schema = providerSchema.resources.get(type);
  if (schema === undefined) return [];
  return identitiesOf({ type: { name: type, schema }, planned: unmarkDeep(object).value });
}
