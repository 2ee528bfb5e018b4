/**
 * @module Says which changes of other instances are behind one that comes from others (X4): those that its
 * configuration refers to.
 */
import type { PlannedChange } from "../engine/plan.ts";
import type { Reason } from "../revision/decision.ts";
import { compareText } from "../values/set-order.ts";
import { resourceOf } from "./subjects.ts";

/** What is configured, by address, dependencies first. */
export interface ConfiguredOrder {
  readonly resources: ReadonlyMap<
    string,
    {
      /** Addresses of the resources that it refers to, directly or through values that have a name. */
      readonly references: readonly string[];
    }
  >;
}

const causedByOthers: ReadonlySet<Reason["kind"]> = new Set([
  "triggers",
  "unknown_input",
  "dependency_updated",
  "dependency_replaced",
]);

export function withDependencies(
  changes: readonly PlannedChange[],
  { resources }: ConfiguredOrder,
): readonly PlannedChange[] {
  const changing = new Map<string, PlannedChange[]>();
  for (const change of changes) {
    const { action } = change.decision;
    if (action !== "update" && action !== "replace") continue;
    const resource = resourceOf(change);
    changing.set(resource, [...(changing.get(resource) ?? []), change]);
  }
  const referred = (change: PlannedChange): readonly string[] =>
    resources.get(resourceOf(change))?.references ?? [];
  const all = new Map<string, PlannedChange[]>();
  for (const change of changes) {
    const resource = resourceOf(change);
    const others = all.get(resource);
    if (others === undefined) all.set(resource, [change]);
    else others.push(change);
  }
  const referredTo = (change: PlannedChange) =>
    referred(change)
      .flatMap((resource) => all.get(resource) ?? [])
      .filter((other) => !isElsewhere(other, change));
  return changes.map((change) => {
    const { decision } = change;
    if (change.role === "handler" && isNew(change)) return withHandlerReason(change, referredTo(change));
    if (!decision.reasons.some(({ kind }) => causedByOthers.has(kind))) return change;
    const dependencies = referred(change)
      .flatMap((resource) => changing.get(resource) ?? [])
      .filter((other) => !isElsewhere(other, change))
      .map(({ address }) => address)
      .sort(compareText);
    if (dependencies.length === 0) return change;
    const reasons = decision.reasons.map((reason) =>
      causedByOthers.has(reason.kind) ? { ...reason, dependencies } : reason,
    );
    return { ...change, decision: { ...decision, reasons } };
  });
}

const isNew = ({ decision: { action, reasons } }: PlannedChange): boolean =>
  action === "create" && reasons.some(({ kind }) => kind === "create");

/** A handler without an instance runs because of what notifies it, unless that is new as well; or was not got to. */
function withHandlerReason(change: PlannedChange, notifying: readonly PlannedChange[]): PlannedChange {
  if (notifying.every(isNew)) return change;
  const dependencies = notifying
    .filter(({ decision }) => decision.action !== "none")
    .map(({ address }) => address)
    .sort(compareText);
  const reason: Reason = dependencies.length === 0 ? { kind: "pending" } : { kind: "triggers", dependencies };
  return { ...change, decision: { ...change.decision, reasons: [reason] } };
}

/** A circuit's instance that looks at another step means that step on its own host. */
const isElsewhere = (other: PlannedChange, change: PlannedChange): boolean =>
  other.circuit === change.circuit && other.circuit !== undefined && other.host !== change.host;
