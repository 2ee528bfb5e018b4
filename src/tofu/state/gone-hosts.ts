/**
 * @module What becomes of instances whose host was taken out of its circuit and does not answer: `on_host_gone`, which
 * other engines know nothing of.
 */
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import {
  aboutGoneHost,
  forgetsGoneHosts,
  goesWithItsHost,
  type Loaded,
  type Plan,
  type PlannedChange,
} from "../../engine/index.ts";
import { unmarkDeep } from "../../values/marks.ts";
import type { ProviderLog } from "../provider/provider-log.ts";

/** Says so in the plan, once for each host, and has the attached provider forget what the circuit wants forgotten. */
export function forgettingGone(plan: Plan, loaded: Pick<Loaded, "circuits">, log: ProviderLog): Plan {
  if (plan.mode !== "normal") return plan;
  const said = new Map<string, Diagnostic>();
  const changes = plan.changes.map((change): PlannedChange => {
    const { host, unread, decision } = change;
    if (decision.keeps !== undefined || !goesWithItsHost({ host, unread, decision })) return change;
    const forgets = forgetsGoneHosts(loaded, change);
    said.set(`${change.circuit} ${host}`, aboutGoneHost(change, forgets));
    if (!forgets) return change;
    log.keep(change.type, unmarkDeep(change.before).value, "host_gone");
    return { ...change, decision: { ...decision, keeps: "host_gone" } };
  });
  return { ...plan, changes, diagnostics: [...plan.diagnostics, ...said.values()] };
}
