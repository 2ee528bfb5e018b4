/**
 * @module Which circuit, member and host an address of the engine's belongs to.
 */
import type { Configuration } from "../compiler/model.ts";
import { type Subject, subjectOf } from "../engine/load/subject.ts";
import type { InstanceKey } from "../engine/plan.ts";

export interface AddressParts {
  /** As the engine writes it: `module.a.conn3x_file.web__config["web1"]` */
  readonly address: string;
  readonly type: string;
  readonly name: string;
  readonly key: InstanceKey;
}

export type Subjects = (parts: AddressParts) => Subject;

/** Subjects of the instances of a configuration, of its modules, and of what is only in the state any more. */
export function subjectsOf({ resources }: Configuration): Subjects {
  const byAddress = new Map(resources.map((resource) => [resource.address, resource]));
  return ({ address, type, name, key }) => {
    const elsewhere = { circuit: undefined, member: undefined, role: undefined, host: undefined };
    if (!isOurs(type)) return { ...elsewhere, address };
    const resource = `${type}.${name}`;
    const configured = address.startsWith("module.") ? undefined : byAddress.get(resource);
    return { ...subjectOf(configured, resource, key), address };
  };
}

export const isOurs = (type: string): boolean => type.startsWith("conn3x_");

/** Host of an instance that a diagnostic names by its address alone. */
export function partsOf(address: string): AddressParts | undefined {
  const found = /(?:^|\.)(?<type>\w+)\.(?<name>[\w-]+)(?:\[(?<key>"(?:[^"\\]|\\.)*"|\d+)\])?$/.exec(
    address,
  )?.groups;
  if (found === undefined) return undefined;
  const key: unknown = found.key === undefined ? undefined : JSON.parse(found.key);
  return { address, type: found.type!, name: found.name!, key: key as InstanceKey };
}
