/**
 * @module The circuit, member and host of an address in the engine's output.
 */

import type { Configuration } from "../../compiler/index.ts";
import { configurationsOf, inAllModules, type Subject, subjectOf } from "../../engine/index.ts";
import {
  callPathText,
  type InstanceKey,
  inModule,
  moduleText,
  parseAddress,
  resourceAddress,
  withoutDeposedKey,
  withoutModuleKeys,
} from "../../values/address.ts";

export interface AddressParts {
  /** The address as the engine writes it: `module.a.conn3x_file.web__config["web1"]` */
  readonly address: string;
  readonly type: string;
  readonly name: string;
  readonly key: InstanceKey;
}

export type Subjects = (parts: AddressParts) => Subject;

/** Subjects of the instances of a configuration, of its modules, and of what is only in the state any more. */
export function subjectsOf(configuration: Configuration): Subjects {
  const byAddress = new Map(
    [...configurationsOf(configuration)].flatMap(({ configuration: { resources }, path }) => {
      const module = callPathText(path);
      return resources.map((resource) => [inModule(module, resource.address), resource] as const);
    }),
  );
  return ({ address, type, name, key }) => {
    const elsewhere = { circuit: undefined, member: undefined, role: undefined, host: undefined };
    if (!isOurType(type)) return { ...elsewhere, address };
    const module = moduleOf(address);
    const resource = resourceAddress({ module, type, name });
    const configured = byAddress.get(withoutModuleKeys(resource));
    return { ...subjectOf(configured && inAllModules(configured, module), resource, key), address };
  };
}

/** Of a resource's or an instance's address, or one with more behind it: `… (deposed 1a2b3c4d)`. */
function moduleOf(address: string): string {
  if (!address.startsWith("module.")) return "";
  const parsed = parseAddress(withoutDeposedKey(address));
  return parsed === undefined ? "" : moduleText(parsed);
}

/** Address of the resource that an instance is of. */
export const resourceOf = ({
  address,
  type,
  name,
}: Pick<AddressParts, "address" | "type" | "name">): string =>
  resourceAddress({ module: moduleOf(address), type, name });

export const isOurType = (type: string): boolean => type.startsWith("conn3x_");

/** @returns undefined for anything but the address of a managed resource */
export function addressParts(address: string): AddressParts | undefined {
  const parsed = parseAddress(withoutDeposedKey(address));
  return parsed && { address, type: parsed.type, name: parsed.name, key: parsed.key };
}
