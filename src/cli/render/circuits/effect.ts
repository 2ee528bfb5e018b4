/**
 * @module What a planned change comes to on its host, in the words of circuits.
 */
import type { PlannedChange } from "../../../engine/index.ts";
import { kinds } from "../../../resources/index.ts";
import { fieldsOf } from "../../../revision/proposal.ts";
import { valuesEqual } from "../../../values/equal.ts";
import { at } from "../../../values/path.ts";
import type { Value } from "../../../values/value.ts";
import { getPath } from "../../../values/walk.ts";

/**
 * - `new`, `updated`, `replaced`, `removed`: as the word says
 * - `taken_over`: it is on the host already, and is changed
 * - `adopted`: it is on the host already, as wanted
 * - `runs`: a command, a handler, or whatever else leaves nothing that could be looked at
 * - `kept`: it leaves the state and stays on the host
 * - `forgotten`: it leaves the state, and there is nothing of it on the host
 * - `recorded`: only the state changes
 * - `left_out`: its `when` is false, or no step notifies it on this host
 * - `none`: nothing at all
 */
export type Effect =
  | "new"
  | "taken_over"
  | "adopted"
  | "updated"
  | "replaced"
  | "removed"
  | "runs"
  | "kept"
  | "forgotten"
  | "recorded"
  | "left_out"
  | "none";

export function effectOf(change: PlannedChange): Effect {
  const { decision, type, role, before, after } = change;
  const { action, keeps } = decision;
  switch (action) {
    case "none":
      return change.movedFrom !== undefined || change.importing !== undefined ? "recorded" : "none";
    case "delete":
      return keeps === "no_object" || role === "handler"
        ? "forgotten"
        : keeps === undefined
          ? "removed"
          : "kept";
    default:
  }
  if (decision.runs) return "runs";
  if (isSkipped(after)) return action === "update" && !isSkipped(before) ? "removed" : "left_out";
  if (role === "handler") return action === "update" ? "recorded" : "runs";
  if (action === "update" && !changesHost(change)) return "recorded";
  if (!isLookedAt(type)) return "runs";
  if (action === "update") return isSkipped(before) ? "new" : "updated";
  if (action === "replace") return "replaced";
  return decision.found === "different" ? "taken_over" : decision.found === "as_wanted" ? "adopted" : "new";
}

const isSkipped = (object: Value): boolean => getPath(object, at("skipped"))?.data === true;

/** Whether something is to be done on the host: an update that keeps its revision only records settings. */
export function changesHost({ before, after, decision }: PlannedChange): boolean {
  if (decision.action !== "update") return decision.action !== "none";
  const [old, now] = [before, after].map((object) => fieldsOf(object)?.get("revision"));
  return old === undefined || now === undefined || !valuesEqual(old, now);
}

/** Whether what resources of the type make can be found on a host. */
function isLookedAt(type: string): boolean {
  const kind = kinds.get(type);
  if (kind === undefined) return true;
  return kind.role === "step" && Object.values(kind.schema.attributes).some(({ observed }) => observed);
}

const quiet: ReadonlySet<Effect> = new Set(["none", "left_out", "recorded", "adopted", "kept", "forgotten"]);

/** Whether an effect leaves every host as it is. */
export const isQuiet = (effect: Effect): boolean => quiet.has(effect);
