/**
 * @module OpenTofu's words for what happens to an instance, and why.
 * Source: https://opentofu.org/docs/internals/machine-readable-ui/#planned-change,
 * https://opentofu.org/docs/internals/json-format/#plan-representation
 */
import type { PlannedChange } from "../../engine/plan.ts";
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
export const actionList: Record<Action, readonly string[]> = {
  none: ["no-op"],
  create: ["create"],
  update: ["update"],
  replace: ["delete", "create"],
  delete: ["delete"],
};

/** `replace_because_tainted`, …; undefined where OpenTofu gives no reason. */
export function actionReason({ decision, key }: PlannedChange): string | undefined {
  const has = (kind: Reason["kind"]): boolean => decision.reasons.some((reason) => reason.kind === kind);
  if (decision.action === "replace") {
    if (has("last_apply_failed")) return "replace_because_tainted";
    return has("requested") ? "replace_by_request" : "replace_because_cannot_update";
  }
  if (decision.action !== "delete" || has("destroy")) return undefined;
  if (!has("host_removed")) return "delete_because_no_resource_config";
  return typeof key === "number" ? "delete_because_count_index" : "delete_because_each_key";
}

/** The short form of the machine-readable UI: `tainted`, `requested`, `cannot_update`. */
export const shortReason = (change: PlannedChange): string | undefined =>
  actionReason(change)
    ?.replace(/^replace_because_/, "")
    .replace("replace_by_request", "requested");

/** Our own reasons as plain data. */
export const reasonData = ({ decision: { reasons, keeps, found } }: PlannedChange) => ({
  reasons: reasons.map(({ kind, paths, dependencies }) => ({
    kind,
    ...(paths === undefined || paths.length === 0 ? {} : { paths: paths.map(formatPath) }),
    ...(dependencies === undefined || dependencies.length === 0 ? {} : { dependencies }),
  })),
  ...(keeps === undefined ? {} : { keeps }),
  ...(found === undefined ? {} : { found }),
});
