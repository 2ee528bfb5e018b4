/**
 * @module The rollouts of circuits in this run.
 */
import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { instanceAddress } from "../../values/address.ts";
import { type Fleet, readFleet } from "../evaluate/hosts/fleet.ts";
import type { Loaded } from "../evaluate/load.ts";
import type { World } from "../evaluate/names/world.ts";
import type { Problems } from "../evaluate/problems.ts";
import type { PlannedInstance } from "./planned-instance.ts";

/** The fleets, by circuit name, of circuits that do not go step after step over all of their hosts. */
export function fleetsOf(
  loaded: Loaded,
  instances: readonly PlannedInstance[],
  world: World,
  problems: Problems,
): ReadonlyMap<string, Fleet> {
  const fleets = new Map<string, Fleet>();
  for (const { circuit, module } of loaded.circuits.values()) {
    const { name, rollout, order, onFailure } = circuit;
    if (rollout === undefined && order === "step" && onFailure === "host") continue;
    const own = instances.filter(({ subject }) => subject.circuit === name);
    const hosts = new Set<string>();
    const changing = new Set<string>();
    for (const { subject, decision } of own) {
      if (subject.host === undefined) continue;
      hosts.add(subject.host);
      if (decision.action !== "none") changing.add(subject.host);
    }
    const scope = world.scope({}, undefined, module);
    fleets.set(name, readFleet(circuit, { all: hosts.size, changing: [...changing] }, scope, problems));
    if (order === "host") problems.reportAll(referencesAcross(own));
  }
  return fleets;
}

/** Where each host goes on by itself nothing can be known of the others. */
function referencesAcross(own: readonly PlannedInstance[]): readonly Diagnostic[] {
  const resources = new Set(own.map(({ resource }) => resource));
  const hostOf = new Map(
    own.map(({ resource, key, subject }) => [instanceAddress(resource, key), subject.host]),
  );
  const said = new Set<string>();
  return own.flatMap(({ subject, resource, accesses, loaded }) => {
    const across = accesses.find(
      (access) =>
        resources.has(access.resource) &&
        (access.of === "all" ? access.host : hostOf.get(instanceAddress(access.resource, access.key))) !==
          subject.host,
    );
    if (across === undefined || said.has(resource)) return [];
    said.add(resource);
    const range = loaded?.resource.range;
    return errorDiagnostic(
      "A step refers to other hosts",
      `${subject.address} refers to ${across.resource} of other hosts than its own, and with order = "host" nobody waits for those. Remove order, or refer to the own host only.`,
      range === undefined ? { address: subject.address } : { range },
    );
  });
}
