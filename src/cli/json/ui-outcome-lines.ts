/**
 * @module What an apply did as lines of OpenTofu's machine-readable UI: a summary and outputs.
 */
import { type ApplyOutcome, isComplete, type Plan } from "../../engine/index.ts";
import { typeToJson } from "../../values/json/json.ts";
import { isMarked, type Value } from "../../values/value.ts";
import { exactJson } from "./exact-json.ts";
import { objectText, plainText } from "./json-object.ts";
import type { Line } from "./ui-line.ts";

export function outcomeLines(plan: Plan, outcome: ApplyOutcome, line: Line): string {
  const operation = plan.mode === "destroy" ? "destroy" : "apply";
  const summary = summaryLine(operation, outcome, line);
  if (operation === "destroy" || !isComplete(outcome)) return summary;
  const { outputs } = outcome;
  return `${summary}${line("info", `Outputs: ${outputs.size}`, "outputs", { outputs: storedOutputs(outputs) })}`;
}

function summaryLine(operation: "apply" | "destroy", outcome: ApplyOutcome, line: Line): string {
  const { created, updated, replaced, deleted, kept = 0, imported = 0, failed, notDone } = outcome;
  const counts = {
    add: created + replaced,
    change: updated,
    import: imported,
    remove: deleted + replaced,
    forget: kept,
  };
  const title = `${operation === "destroy" ? "Destroy" : "Apply"} ${isComplete(outcome) ? "complete!" : "incomplete:"}`;
  const imports = imported === 0 ? "" : `${imported} imported, `;
  const text = `${title} Resources: ${imports}${counts.add} added, ${counts.change} changed, ${counts.remove} destroyed.`;
  const conn3x = {
    created,
    updated,
    replaced,
    deleted,
    kept,
    failed: failed.map(({ address }) => address),
    not_done: notDone,
  };
  return line("info", text, "change_summary", { changes: plainText({ ...counts, operation, conn3x }) });
}

/** A sensitive one has no value here, as in OpenTofu's lines. */
function storedOutputs(outputs: ReadonlyMap<string, Value>): string {
  const members = [...outputs].map(([name, value]) => {
    const sensitive = isMarked(value, "sensitive");
    const type = plainText(typeToJson(value.type));
    const shown = { sensitive: String(sensitive), type, value: sensitive ? undefined : exactJson(value) };
    return [name, objectText(shown)] as const;
  });
  return objectText(Object.fromEntries(members));
}
