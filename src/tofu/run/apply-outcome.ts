/**
 * @module The result of an apply by the engine, from its events.
 */
import { failureReason } from "../../core/index.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { ApplyOutcome, Event, FailedInstance, Plan, PlannedChange } from "../../engine/index.ts";
import { fromJson, typeFromJson } from "../../values/json/json.ts";
import type { JsonObject } from "../../values/json/json-text.ts";
import { withMark } from "../../values/marks.ts";
import { dynamicType } from "../../values/type.ts";
import { nullValue, type Value } from "../../values/value.ts";
import type { Streamed } from "../program/engine.ts";
import { fieldOf } from "../program/json.ts";

/** @param events of the apply, in their order */
export function applyOutcome(
  plan: Plan,
  events: readonly Event[],
  streamed: Pick<Streamed, "status" | "diagnostics" | "outputs">,
): ApplyOutcome {
  const acting = plan.changes.filter(({ decision }) => decision.action !== "none");
  const failures = events.filter((event) => event.kind === "apply_errored");
  const reasons = reasonsOf(streamed.diagnostics);
  const failed = new Map(failures.map(({ subject }) => [subject.address, subject]));
  const done = new Set(
    events.flatMap((event) =>
      event.kind === "apply_complete" ? [`${event.action} ${event.subject.address}`] : [],
    ),
  );
  // Of what is only forgotten nothing is heard.
  const isSilent = ({ decision }: PlannedChange): boolean =>
    decision.keeps === "forgotten" && streamed.status === 0;
  const completed = (change: PlannedChange): boolean =>
    isSilent(change) || (done.has(`${lastAction(change)} ${change.address}`) && !failed.has(change.address));
  const count = (action: PlannedChange["decision"]["action"]): number =>
    acting.filter((change) => change.decision.action === action && completed(change)).length;
  const kept = new Set(
    events.flatMap((event) =>
      event.kind === "apply_complete" && event.kept === true ? [event.subject.address] : [],
    ),
  );
  const isKept = (change: PlannedChange): boolean => kept.has(change.address) || isSilent(change);
  // Old halves of replacements whose new ones were not made.
  const halves = acting.filter(
    (change) =>
      change.decision.action === "replace" &&
      change.role !== "handler" &&
      done.has(`delete ${change.address}`) &&
      !kept.has(change.address) &&
      !completed(change),
  );
  const ended = acting.filter((change) => change.decision.action === "delete" && completed(change));
  // An update that turns out to change nothing is not announced: what was not heard of is missing only after a failure.
  const missing =
    streamed.status === 0 ? [] : acting.filter((change) => !completed(change) && !failed.has(change.address));
  return {
    created: count("create"),
    updated: count("update"),
    replaced: count("replace"),
    deleted: ended.filter((change) => !isKept(change)).length + halves.length,
    kept: ended.filter(isKept).length,
    // Which of them were taken over before something failed is not reported.
    ...(streamed.status === 0 ? { imported: importedBy(plan) } : {}),
    failed: [...failed.values()].map(({ address, host, member }) => ({
      address,
      host,
      member,
      reason: reasons.get(address) ?? "failed",
    })),
    notDone: missing.map(({ address }) => address),
    outputs: outputValues(streamed.outputs),
    diagnostics: streamed.diagnostics,
  };
}

const importedBy = ({ changes }: Plan): number =>
  changes.filter(({ importing }) => importing !== undefined).length;

/** A replacement is done when its second half is. */
const lastAction = ({ decision: { action } }: PlannedChange) => (action === "replace" ? "create" : action);

/** The reason of the first error about each address. */
function reasonsOf(diagnostics: readonly Diagnostic[]): ReadonlyMap<string, FailedInstance["reason"]> {
  const reasons = new Map<string, string>();
  for (const diagnostic of diagnostics) {
    const { severity, address } = diagnostic;
    if (severity === "error" && address !== undefined && !reasons.has(address))
      reasons.set(address, failureReason(diagnostic));
  }
  return reasons;
}

function outputValues(outputs: JsonObject): ReadonlyMap<string, Value> {
  const values = new Map<string, Value>();
  for (const [name, output] of Object.entries(outputs)) {
    // The engine keeps sensitive ones to itself.
    if (fieldOf(output, "sensitive") === true) {
      values.set(name, withMark(nullValue(dynamicType), "sensitive"));
      continue;
    }
    const type = typeFromJson(fieldOf(output, "type") ?? null);
    const read = type && fromJson(fieldOf(output, "value") ?? null, type);
    if (read !== undefined && "value" in read) values.set(name, read.value);
  }
  return values;
}
