/**
 * @module OpenTofu's words for what happens to an instance, and why.
 * Source: https://opentofu.org/docs/internals/machine-readable-ui/#planned-change,
 * https://opentofu.org/docs/internals/json-format/#plan-representation
 */
import type { PlannedChange } from "../../engine/index.ts";
import type { Action, Reason } from "../../revision/decision.ts";
import { formatPath } from "../../values/path.ts";

/** In the lines of the machine-readable UI. */
export const actionWord: Record<Action, string> = {
  none: "noop",
  create: "create",
  update: "update",
  replace: "replace",
  delete: "delete",
};

/** In a plan. */
export function actionsOf({ decision: { action, keeps, createFirst } }: PlannedChange): readonly string[] {
  if (action === "delete" && keeps === "forgotten") return ["forget"];
  return action === "replace" && createFirst ? ["create", "delete"] : actionList[action];
}

const actionList: Record<Action, readonly string[]> = {
  none: ["no-op"],
  create: ["create"],
  update: ["update"],
  replace: ["delete", "create"],
  delete: ["delete"],
};

/** `replace_because_tainted`, …; undefined where OpenTofu gives no reason. */
export function actionReason({ decision, key, repetition }: PlannedChange): string | undefined {
  const has = (kind: Reason["kind"]): boolean => decision.reasons.some((reason) => reason.kind === kind);
  if (decision.action === "replace") {
    // Nothing of its own forces it: what `replace_triggered_by` names does.
    const byOthers = has("dependency_updated") || has("dependency_replaced");
    if (byOthers && decision.requiresReplace.length === 0) return "replace_by_triggers";
    if (has("last_apply_failed")) return "replace_because_tainted";
    return has("requested") ? "replace_by_request" : "replace_because_cannot_update";
  }
  if (decision.action !== "delete" || has("destroy") || has("deposed")) return undefined;
  if (repetition === undefined && !has("host_removed")) return "delete_because_no_resource_config";
  if (repetition !== undefined && repetition !== repetitionOf(key)) return "delete_because_wrong_repetition";
  return typeof key === "number" ? "delete_because_count_index" : "delete_because_each_key";
}

/** How a resource has instances with such a key. */
const repetitionOf = (key: PlannedChange["key"]): PlannedChange["repetition"] =>
  key === undefined ? "single" : typeof key === "number" ? "count" : "each";

/** The short form of the machine-readable UI: `tainted`, `requested`, `cannot_update`. */
export const shortReason = (change: PlannedChange): string | undefined =>
  actionReason(change)
    ?.replace(/^replace_because_/, "")
    .replace("replace_by_triggers", "replace_triggered_by")
    .replace("replace_by_request", "requested");

/** Our own reasons as plain data. */
export const reasonData = ({
  decision: { reasons, keeps, found, besides, dependencies = [] },
}: PlannedChange) => ({
  ...(reasons[0] === undefined ? {} : { reason: reasons[0].kind }),
  reasons: reasons.map(({ kind, paths, dependencies, rebuilt, imported }) => ({
    kind,
    ...(rebuilt ? { rebuilt } : {}),
    ...(imported ? { imported } : {}),
    ...(paths === undefined || paths.length === 0 ? {} : { paths: paths.map(formatPath) }),
    ...(dependencies === undefined || dependencies.length === 0 ? {} : { dependencies }),
  })),
  ...(dependencies.length === 0 ? {} : { dependencies }),
  ...(keeps === undefined ? {} : { keeps }),
  ...(found === undefined ? {} : { found }),
  ...(besides === undefined ? {} : { besides }),
});
