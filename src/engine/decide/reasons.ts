/**
 * @module Says which changes of other instances are behind a decision (X4).
 */

import { isChanging, withCauses } from "../../revision/causes.ts";
import type { DependencyChange } from "../../revision/decision.ts";
import type { InstanceKey } from "../../values/address.ts";
import { compareText } from "../../values/set-order.ts";
import type { PlannedInstance } from "./planned-instance.ts";

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
  const found = new Map(instances.filter(isChanging).map((instance) => [instance.key, instance]));
  changingLists.set(instances, found);
  return found;
}

/** The instances with the addresses of those that are behind their decisions. */
export function withReasons(instances: readonly PlannedInstance[]): readonly PlannedInstance[] {
  const all = byResource(instances);
  const changing = byResource(instances.filter(isChanging));
  return instances.map((instance) => {
    const among = (index: Instances) => () =>
      referredTo(instance, index).map(({ subject, decision }) => ({ address: subject.address, decision }));
    const referred = { all: among(all), changing: among(changing) };
    const decision = withCauses(instance.decision, instance.subject.role === "handler", referred);
    return decision === instance.decision ? instance : { ...instance, decision };
  });
}

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

/** The instances among these that the configuration of one of them refers to. */
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
