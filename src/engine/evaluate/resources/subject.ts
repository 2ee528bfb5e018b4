/**
 * @module The circuit, member and host of an instance.
 */

import type { Resource } from "../../../compiler/index.ts";
import { type InstanceKey, inModule, instanceAddress, resourceNameOf } from "../../../values/address.ts";
import type { EventSubject } from "../../event.ts";

export interface Subject extends EventSubject {
  readonly role: "step" | "handler" | undefined;
}

/**
 * @param resource as configured; undefined for what is only in the state
 * @param address of the resource
 */
export function subjectOf(resource: Resource | undefined, address: string, key: InstanceKey): Subject {
  const origin = resource === undefined ? formerOrigin(address) : configuredOrigin(resource);
  return {
    address: instanceAddress(address, key),
    circuit: origin?.circuit,
    member: origin?.member,
    role: origin?.role,
    host: origin === undefined ? undefined : hostOfKey(key),
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

/** A host's name never holds a slash: instances of a step with keys of its own have `HOST/KEY`. */
export function hostOfKey(key: InstanceKey): string | undefined {
  if (typeof key !== "string") return undefined;
  const slash = key.indexOf("/");
  return slash === -1 ? key : key.slice(0, slash);
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
