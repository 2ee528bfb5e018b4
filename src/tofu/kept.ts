/**
 * @module Says of deletions which of them left what they stand for on the host: the engine does not know.
 */
import type { EventSink } from "../engine/event.ts";
import type { Plan } from "../engine/plan.ts";
import { unmarkDeep } from "../values/marks.ts";
import type { ProviderLog } from "./provider-log.ts";

/** @param plan that is applied */
export function keptEvents(plan: Plan, log: ProviderLog, events: EventSink): EventSink {
  const ending = new Map(
    plan.changes.flatMap((change) =>
      change.decision.action === "delete" || change.decision.action === "replace"
        ? [[change.address, change]]
        : [],
    ),
  );
  return (event) => {
    const deleted =
      event.kind === "apply_complete" && event.action === "delete"
        ? ending.get(event.subject.address)
        : undefined;
    const kept =
      deleted !== undefined &&
      (deleted.decision.keeps !== undefined || log.wasKept(deleted.type, unmarkDeep(deleted.before).value));
    events(kept && event.kind === "apply_complete" ? { ...event, kept } : event);
  };
}
