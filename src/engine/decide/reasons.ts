/**
 * @module Says which changes of other instances are behind a decision (X4).
 */
import type { DependencyChange, Reason } from "../../revision/decision.ts";
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

/** What the configuration of an instance refers to, directly or through values, and is updated or replaced; sorted. */
export function changingDependencies(
  instance: Pick<PlannedInstance, "accesses" | "subject">,
  planned: ReadonlyMap<string, readonly PlannedInstance[]>,
): readonly DependencyChange[] {
  const among = new Map<string, Map<InstanceKey, PlannedInstance>>();
  for (const { resource } of instance.accesses) {
    if (!among.has(resource)) among.set(resource, changingOf(planned.get(resource) ?? []));
  }
  return referredTo(instance, among)
    .map(({ subject, decision }) => ({
      address: subject.address,
      action: decision.action === "replace" ? ("replace" as const) : ("update" as const),
    }))
    .sort((a, b) => compareText(a.address, b.address));
}

const changingLists = new WeakMap<readonly PlannedInstance[], Map<InstanceKey, PlannedInstance>>();

/** Those of a resource's instances that are updated or replaced: found once for all that refer to it. */
function changingOf(instances: readonly PlannedInstance[]): Map<InstanceKey, PlannedInstance> {
  const known = changingLists.get(instances);
  if (known !== undefined) return known;
  const changing = instances.filter(
    ({ decision: { action } }) => action === "update" || action === "replace",
  );
  const found = new Map(changing.map((instance) => [instance.key, instance]));
  changingLists.set(instances, found);
  return found;
}

/** The instances with the addresses of those that they refer to and that are updated or replaced too. */
export function withDependencies(instances: readonly PlannedInstance[]): readonly PlannedInstance[] {
  const changing = byResource(
    instances.filter(({ decision: { action } }) => action === "update" || action === "replace"),
  );
  return instances.map((instance) => {
    const { decision } = instance;
    if (!decision.reasons.some(({ kind }) => causedByOthers.has(kind))) return instance;
    const dependencies = addresses(referredTo(instance, changing));
    if (dependencies.length === 0) return instance;
    const reasons = decision.reasons.map((reason) =>
      causedByOthers.has(reason.kind) && reason.dependencies === undefined
        ? { ...reason, dependencies }
        : reason,
    );
    return { ...instance, decision: { ...decision, reasons } };
  });
}

/**
 * The instances with the reasons of handlers that have no instance yet: all that notifies them is new as well, or it
 * changes, or nothing does and an earlier run did not get to them.
 */
export function withHandlerReasons(instances: readonly PlannedInstance[]): readonly PlannedInstance[] {
  const toRun = instances.some(isHandlerToCreate);
  if (!toRun) return instances;
  const all = byResource(instances);
  return instances.map((instance) => {
    if (!isHandlerToCreate(instance)) return instance;
    const notifying = referredTo(instance, all);
    if (notifying.every(isNew)) return instance;
    const dependencies = addresses(notifying.filter(({ decision }) => decision.action !== "none"));
    const reason: Reason =
      dependencies.length === 0 ? { kind: "pending" } : { kind: "triggers", dependencies };
    return { ...instance, decision: { ...instance.decision, reasons: [reason] } };
  });
}

const isHandlerToCreate = (instance: PlannedInstance): boolean =>
  instance.subject.role === "handler" && isNew(instance);

const isNew = ({ decision: { action, reasons } }: PlannedInstance): boolean =>
  action === "create" && reasons.some(({ kind }) => kind === "create");

type Instances = ReadonlyMap<string, ReadonlyMap<InstanceKey, PlannedInstance>>;

/** By the address of the resource, then by key. */
export function byResource(instances: readonly PlannedInstance[]): Instances {
  const found = new Map<string, Map<InstanceKey, PlannedInstance>>();
  for (const instance of instances) {
    const resource = found.get(instance.resource) ?? new Map<InstanceKey, PlannedInstance>();
    found.set(instance.resource, resource.set(instance.key, instance));
  }
  return found;
}

/** Those of the instances that the configuration of one of them refers to. */
export function referredTo(
  { accesses, subject }: Pick<PlannedInstance, "accesses" | "subject">,
  among: Instances,
): readonly PlannedInstance[] {
  const found = new Set<PlannedInstance>();
  for (const { resource, of, key } of accesses) {
    const instances = among.get(resource);
    if (instances === undefined) continue;
    if (of === "one") {
      const one = instances.get(key);
      if (one !== undefined) found.add(one);
      continue;
    }
    for (const other of instances.values()) {
      // A circuit's instance that looks at all of another step's means those of its own host.
      const elsewhere = other.subject.circuit === subject.circuit && other.subject.host !== subject.host;
      if (!elsewhere) found.add(other);
    }
  }
  return [...found];
}

const addresses = (instances: readonly PlannedInstance[]): readonly string[] =>
  instances.map(({ subject }) => subject.address).sort(compareText);
