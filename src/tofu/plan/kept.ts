/**
 * @module Says of deletions which of them leave what they stand for on the host, and of handlers which run: the engine
 * does not know.
 */
import type { Event, EventSink, Plan, PlannedChange } from "../../engine/index.ts";
import { unmarkDeep } from "../../values/marks.ts";
import { at } from "../../values/path.ts";
import { nullValue } from "../../values/value.ts";
import { getPath } from "../../values/walk.ts";
import type { ProviderLog } from "../provider/provider-log.ts";
import { isOurType } from "./subjects.ts";

/** @param plan that is applied */
export function keptEvents(plan: Plan, log: ProviderLog, events: EventSink): EventSink {
  const ending = new Map(
    plan.changes.flatMap((change) =>
      change.decision.action === "delete" || change.decision.action === "replace"
        ? [[change.address, change]]
        : [],
    ),
  );
  const endingIn = (event: Event) =>
    (event.kind === "apply_start" || event.kind === "apply_complete") && event.action === "delete"
      ? ending.get(event.subject.address)
      : undefined;
  const handlers = new Map(
    plan.changes.flatMap((change) => (change.role === "handler" ? [[change.address, change]] : [])),
  );
  return (event) => {
    const runs = runsIn(event, handlers);
    if (runs !== undefined) {
      events({ ...event, runs } as Event);
      return;
    }
    const change = endingIn(event);
    if (change === undefined) events(event);
    else if (event.kind === "apply_start") events({ ...event, ...toBeKept(change, log) });
    else if (event.kind === "apply_complete" && wasKept(change, log)) events({ ...event, kept: true });
    else events(event);
  };
}

/** Whether a handler runs, where it is not as for any other; undefined for all else. */
function runsIn(event: Event, handlers: ReadonlyMap<string, PlannedChange>): boolean | undefined {
  if (event.kind !== "apply_start" && event.kind !== "apply_complete") return undefined;
  const change = handlers.get(event.subject.address);
  if (change === undefined) return undefined;
  if (event.action === "update") return change.decision.runs;
  const isLeftOut = getPath(change.after, at("skipped"))?.data === true;
  return event.action === "create" && isLeftOut ? false : undefined;
}

/** As far as the plan says. An engine's own plan says nothing of it. */
function toBeKept({ type, decision, before }: PlannedChange, log: ProviderLog) {
  if (decision.keeps !== undefined) return { kept: true } as const;
  const prior = unmarkDeep(before).value;
  const isKnown = !isOurType(type) || log.decision(type, prior, nullValue(prior.type)) !== undefined;
  return isKnown ? {} : ({ kept: "perhaps" } as const);
}

const wasKept = ({ type, decision, before }: PlannedChange, log: ProviderLog): boolean =>
  decision.keeps !== undefined || log.wasKept(type, unmarkDeep(before).value);
