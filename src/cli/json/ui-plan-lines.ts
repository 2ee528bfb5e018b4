/**
 * @module A plan as lines of OpenTofu's machine-readable UI: drift, changes, a summary and outputs.
 */
import type { OutputChange, Plan, PlannedChange } from "../../engine/index.ts";
import { valuesEqual } from "../../values/equal.ts";
import type { Value } from "../../values/value.ts";
import type { UrnOf } from "../state/instance-name.ts";
import { actionWord, reasonData, shortReason } from "./action-words.ts";
import { plainText } from "./json-object.ts";
import { type Line, resourceData } from "./ui-line.ts";

export function planLines(plan: Plan, line: Line, urnOf: UrnOf): string {
  return [
    ...plan.changes.flatMap((one) => driftLine(one, line, urnOf)),
    ...plan.changes.flatMap((one) => changeLine(one, line, urnOf)),
    summaryLine(plan, line),
    ...(plan.outputs.length === 0
      ? []
      : [
          line("info", `Outputs: ${plan.outputs.length}`, "outputs", {
            outputs: plannedOutputs(plan.outputs),
          }),
        ]),
  ].join("");
}

function driftLine(one: PlannedChange, line: Line, urnOf: UrnOf): readonly string[] {
  const gone = one.decision.reasons.some(({ kind }) => kind === "gone");
  if (one.decision.drift.length === 0 && !gone) return [];
  const action = gone ? "delete" : "update";
  const change = { resource: resourceData(one, urnOf), action, conn3x: reasonData(one) };
  const message = `${one.address}: Drift detected (${action})`;
  return [line("info", message, "resource_drift", { change: plainText(change) })];
}

function changeLine(one: PlannedChange, line: Line, urnOf: UrnOf): readonly string[] {
  const action = plannedWord(one);
  if (action === undefined) return [];
  const { movedFrom, importing } = one;
  const reason = shortReason(one);
  const change = {
    resource: resourceData(one, urnOf),
    ...(movedFrom === undefined
      ? {}
      : { previous_resource: resourceData({ ...one, address: movedFrom }, urnOf) }),
    action,
    ...(reason === undefined ? {} : { reason }),
    ...(importing === undefined ? {} : { importing: { id: importing } }),
    conn3x: reasonData(one),
  };
  return [line("info", `${one.address}: Plan to ${action}`, "planned_change", { change: plainText(change) })];
}

/** What a plan says of an instance; undefined for one that neither changes nor comes from elsewhere. */
function plannedWord({ decision, movedFrom, importing }: PlannedChange): string | undefined {
  if (decision.action !== "none") return actionWord[decision.action];
  if (importing !== undefined) return "import";
  return movedFrom === undefined ? undefined : "move";
}

function summaryLine(plan: Plan, line: Line): string {
  const counts = plannedCounts(plan);
  const imports = counts.import === 0 ? "" : `${counts.import} to import, `;
  const text = `Plan: ${imports}${counts.add} to add, ${counts.change} to change, ${counts.remove} to destroy.`;
  return line("info", text, "change_summary", { changes: plainText({ ...counts, operation: "plan" }) });
}

function plannedCounts({ changes }: Plan) {
  const count = (...actions: readonly string[]): number =>
    changes.filter(({ decision }) => actions.includes(decision.action)).length;
  const kept = changes.filter(
    ({ decision }) => decision.action === "delete" && decision.keeps !== undefined,
  ).length;
  return {
    add: count("create", "replace"),
    change: count("update"),
    import: changes.filter(({ importing }) => importing !== undefined).length,
    remove: count("delete", "replace") - kept,
    forget: kept,
  };
}

const plannedOutputs = (outputs: readonly OutputChange[]): string =>
  plainText(
    Object.fromEntries(
      outputs.map(({ name, before, after, sensitive }) => [
        name,
        { sensitive, action: outputAction(before, after) },
      ]),
    ),
  );

function outputAction(before: Value | undefined, after: Value | undefined): string {
  if (before === undefined) return "create";
  if (after === undefined) return "delete";
  return before === after || valuesEqual(before, after) ? "noop" : "update";
}
