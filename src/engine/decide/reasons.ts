/**
 * @module Says which changes of other instances are behind a decision (X4).
 */
import type { Reason } from "../../revision/decision.ts";
import { compareText } from "../../values/set-order.ts";
import type { InstanceKey } from "../plan.ts";
import type { PlannedInstance } from "./planned-instance.ts";

/** Reasons that come from what an instance refers to. */
const causedByOthers: ReadonlySet<Reason["kind"]> = new Set([
  "triggers",
  "unknown_input",
  "dependency_updated",
  "dependency_replaced",
]);

/** The instances with the addresses of those that they refer to and that are updated or replaced too. */
export function withDependencies(instances: readonly PlannedInstance[]): readonly PlannedInstance[] {
  const changing = new Map<string, Map<InstanceKey, PlannedInstance>>();
  for (const instance of instances) {
    if (instance.decision.action !== "update" && instance.decision.action !== "replace") continue;
    const resource = changing.get(instance.resource) ?? new Map<InstanceKey, PlannedInstance>();
    changing.set(instance.resource, resource.set(instance.key, instance));
  }
  return instances.map((instance) => {
    const { decision } = instance;
    if (!decision.reasons.some(({ kind }) => causedByOthers.has(kind))) return instance;
    const dependencies = changedDependencies(instance, changing);
    if (dependencies.length === 0) return instance;
    const reasons = decision.reasons.map((reason) =>
      causedByOthers.has(reason.kind) ? { ...reason, dependencies } : reason,
    );
    return { ...instance, decision: { ...decision, reasons } };
  });
}

function changedDependencies(
  { accesses, subject }: PlannedInstance,
  changing: ReadonlyMap<string, ReadonlyMap<InstanceKey, PlannedInstance>>,
): readonly string[] {
  const found = new Set<string>();
  for (const { resource, of, key } of accesses) {
    const instances = changing.get(resource);
    if (instances === undefined) continue;
    if (of === "one") {
      const one = instances.get(key);
      if (one !== undefined) found.add(one.subject.address);
      continue;
    }
    for (const other of instances.values()) {
      // A circuit's instance that looks at all of another step's means those of its own host.
      const elsewhere = other.subject.circuit === subject.circuit && other.subject.host !== subject.host;
      if (!elsewhere) found.add(other.subject.address);
    }
  }
  return [...found].sort(compareText);
}
