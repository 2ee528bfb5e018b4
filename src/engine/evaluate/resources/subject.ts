/**
 * @module The circuit, member and host of an instance.
 */

import type { Resource } from "../../../compiler/index.ts";
import { type InstanceKey, inModule, instanceAddress, resourceNameOf } from "../../../values/address.ts";
import { type HostKey, storedHostKey } from "../../../values/host-key.ts";
import type { EventSubject } from "../../event.ts";
import { type Expansion, hostKeyOf } from "./expansion.ts";

export interface Subject extends EventSubject {
  readonly role: "step" | "handler" | undefined;
  /** The own key; absent for a step without a `for_each` of its own. */
  readonly ownKey?: string;
}

/**
 * @param resource as configured; undefined for what is only in the state
 * @param address of the resource
 * @param expansion the instances that are configured, where they are known: of others only the key is left
 */
export function subjectOf(
  resource: Resource | undefined,
  address: string,
  key: InstanceKey,
  expansion?: Expansion,
): Subject {
  const origin = resource === undefined ? formerOrigin(address) : configuredOrigin(resource);
  const { host, own } = (origin && ((expansion && hostKeyOf(expansion, key)) ?? formerHostKey(key))) ?? {};
  return {
    address: instanceAddress(address, key),
    circuit: origin?.circuit,
    member: origin?.member,
    role: origin?.role,
    host,
    ...(own === undefined ? {} : { ownKey: own }),
  };
}

/** The resource with the address, and with the name of its circuit, that it has in all modules. */
export function inAllModules(resource: Resource, module: string): Resource {
  if (module === "") return resource;
  const { address, origin } = resource;
  return {
    ...resource,
    address: inModule(module, address),
    origin: origin && { ...origin, circuit: inModule(module, origin.circuit) },
  };
}

/** What a circuit may be called: with the module that it is in, and without. */
export const circuitNames = (circuit: string): readonly [string, string] => [
  circuit,
  circuit.slice(circuit.lastIndexOf(".") + 1),
];

type Origin = Pick<Subject, "circuit" | "member" | "role">;

const configuredOrigin = ({ origin }: Resource): Origin | undefined =>
  origin && { circuit: origin.circuit, member: origin.member, role: origin.role };

/** Circuits name their resources `CIRCUIT__MEMBER`, and only a handler's type ends with `_action`. */
function formerOrigin(address: string): Origin | undefined {
  const { module, type, name } = resourceNameOf(address);
  const at = name.indexOf("__");
  if (at <= 0) return undefined;
  return {
    circuit: inModule(module, name.slice(0, at)),
    member: name.slice(at + 2),
    role: type.endsWith("_action") ? "handler" : "step",
  };
}

/** Of an instance that is only stored, or only named: whatever its member is like now. */
const formerHostKey = (key: InstanceKey): HostKey | undefined =>
  typeof key === "string" ? storedHostKey(key) : undefined;
