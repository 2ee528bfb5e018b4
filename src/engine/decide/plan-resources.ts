/**
 * @module Plans the instances of all resources, in dependency order.
 */

import type { Reason } from "../../revision/decision.ts";
import { type InstanceKey, instanceAddress } from "../../values/address.ts";
import type { LoadedResource } from "../evaluate/load.ts";
import type { Self } from "../evaluate/names/self.ts";
import type { Problems } from "../evaluate/problems.ts";
import { expandResource, keysOf, selfOf } from "../evaluate/resources/expansion.ts";
import { subjectOf } from "../evaluate/resources/subject.ts";
import { type InstanceToPlan, leftAlone, planInstance } from "./plan-instance.ts";
import { markedObject } from "./planned-instance.ts";
import type { Planning } from "./planning.ts";
import { changingDependencies } from "./reasons.ts";
import { triggeredReplacement } from "./triggered.ts";

/**
 * Each resource is planned as soon as those that its expressions refer to are: what is only to be done later
 * (`depends_on`) can be decided at once, so that questions to hosts travel together.
 */
export async function planResources(planning: Planning, problems: Problems): Promise<void> {
  const started = new Map<string, Promise<void>>();
  for (const [address, resource] of planning.loaded.resources) {
    const before = resource.references.map((reference) => started.get(reference));
    started.set(
      address,
      Promise.all(before).then(() => planResource(planning, resource, problems)),
    );
  }
  await Promise.all(started.values());
}

/** Also of what is stored at another address. */
function isUnsettled({ moves, isUnsettled }: Planning, resource: string, key: InstanceKey): boolean {
  const from = moves.get(instanceAddress(resource, key))?.from;
  return isUnsettled(from?.resource ?? resource, from === undefined ? key : from.key);
}

/** Why an instance is to be replaced whatever it is like. */
function replacing(
  planning: Planning,
  loaded: LoadedResource,
  key: InstanceKey,
  self: Self,
  problems: Problems,
): Reason | undefined {
  const triggered = triggeredReplacement(loaded, self, planning, (problem) => problems.report(problem));
  if (triggered !== undefined) return triggered;
  return planning.replace.has(instanceAddress(loaded.resource.address, key))
    ? { kind: "requested" }
    : undefined;
}

async function planResource(planning: Planning, loaded: LoadedResource, problems: Problems): Promise<void> {
  const { world, provider, values } = planning;
  const { address } = loaded.resource;
  // What it refers to could not be planned: every message about it would be a consequence.
  if (!loaded.references.every((reference) => planning.planned.has(reference))) return;
  const instances = instancesOf(planning, loaded, problems);
  if (instances === undefined) return;
  const isSelected = ({ subject }: InstanceToPlan) => planning.selection.includes(address, subject);
  const planned = await Promise.all(
    instances
      .filter(isSelected)
      .map((instance) =>
        planning.window.run(instance.subject.host, () => planInstance(instance, world, provider, problems)),
      ),
  );
  if (planned.includes(undefined)) return;
  const left = instances.filter((instance) => !isSelected(instance)).map(leftAlone);
  const done = [...planned, ...left].filter((instance) => instance !== undefined);
  for (const instance of done)
    values.set(address, instance.key, markedObject(instance.type, instance.planned, instance.marks));
  planning.planned.set(address, done);
}

/** Undefined where it is unknown which there are. */
function instancesOf(
  planning: Planning,
  loaded: LoadedResource,
  problems: Problems,
): readonly InstanceToPlan[] | undefined {
  const { resource, type, module } = loaded;
  const { address } = resource;
  const { expansion, diagnostics } = expandResource(resource, planning.world.scope({}, undefined, module));
  problems.reportAll(diagnostics);
  if (expansion === undefined) return undefined;
  planning.expansions.set(address, expansion);
  planning.values.declare(address, expansion, type.objectType);
  const stored = planning.refreshed.get(address);
  return keysOf(expansion).map((key) => {
    const self = selfOf(expansion, key);
    return {
      loaded,
      key,
      subject: stored?.get(key)?.subject ?? subjectOf(resource, address, key, expansion),
      self,
      share: planning.share,
      dependencies: (referring) => changingDependencies(referring, planning.planned),
      refreshed: stored?.get(key),
      begun: planning.begun.get(address)?.get(key),
      unsettled: isUnsettled(planning, address, key),
      replacing: replacing(planning, loaded, key, self, problems),
    };
  });
}
