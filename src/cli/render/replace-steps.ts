/**
 * @module What a replacement is made of, one step after the other (U2): the old object's end, the new one, and what is
 * done in between to the instances that depend on it.
 */
import type { PlannedChange } from "../../engine/index.ts";

/**
 * @param name what an instance is called
 * @param all changes by address
 * @returns `create the new object`, `update conn3x_file.web__b["web1"]`; empty for anything else than a replacement
 */
export function stepsOfReplacement(
  { decision, role, dependants = [] }: PlannedChange,
  name: (address: string) => string,
  all: ReadonlyMap<string, PlannedChange>,
): readonly string[] {
  // Of a handler's instance nothing is on a host.
  if (decision.action !== "replace" || role === "handler") return [];
  const changing = dependants.flatMap((address) => all.get(address) ?? []);
  const replaced = changing.filter((change) => isReplaced(change) && change.role !== "handler");
  const endsOf = (first: boolean) =>
    replaced
      .filter((change) => (change.decision.createFirst === true) !== first)
      .map(({ address }) => `delete the old object of ${name(address)}`);
  const made = changing.map((change) => `${verbOf(change)} ${name(change.address)}`);
  const end = `${decision.keeps === undefined ? "delete" : "forget"} the old object`;
  return decision.createFirst === true
    ? [...endsOf(true), "create the new object", ...made, ...endsOf(false), end]
    : [...endsOf(true), end, "create the new object", ...made];
}

const isReplaced = ({ decision }: PlannedChange): boolean => decision.action === "replace";

function verbOf({ role, decision: { action, runs } }: PlannedChange): string {
  if (role === "handler") return action === "update" && !runs ? "update, without running it," : "run";
  return action === "replace" ? "create the new object of" : action;
}
