/**
 * @module Keeps an object on a host from being deleted under one address while another address holds it, as the embedded
 * engine does: other engines know nothing of objects, and would delete what was just made.
 */
import { providerSchema } from "../../core/index.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { identityOf, type Plan, type PlannedChange, staysOnHost } from "../../engine/index.ts";
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
    const identity = identityIn(change, change.after);
    if (identity !== undefined) holders.set(identity, change.address);
  }
  const diagnostics: Diagnostic[] = [];
  const changes = plan.changes.map((change): PlannedChange => {
    const identity = ends(change) ? identityIn(change, change.before) : undefined;
    const holder = identity === undefined ? undefined : holders.get(identity);
    if (holder === undefined || holder === change.address) return change;
    diagnostics.push(staysOnHost(change.address, holder));
    log.keep(change.type, unmarkDeep(change.before).value, "shared");
    return { ...change, decision: { ...change.decision, keeps: "shared" } };
  });
  return { ...plan, changes, diagnostics: [...plan.diagnostics, ...diagnostics] };
}

function identityIn({ type }: PlannedChange, object: Value): string | undefined {
  const schema = providerSchema.resources.get(type);
  return schema && identityOf({ name: type, schema }, unmarkDeep(object).value);
}
