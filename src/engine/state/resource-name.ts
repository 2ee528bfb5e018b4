/**
 * @module What a resource's address is made of: `module.a["x"].conn3x_file.web__config`, one for each instance of a
 * module.
 */

/** The parts of a resource's address. */
export interface ResourceName {
  /** `module.a["x"].module.b`; empty for the root module. */
  readonly module: string;
  /** `conn3x_file` */
  readonly type: string;
  /** `web__config` */
  readonly name: string;
}

export const resourceAddress = ({ module, type, name }: ResourceName): string =>
  inModule(module, `${type}.${name}`);

/** The address of what has the address `address` seen from the module. */
export const inModule = (module: string, address: string): string =>
  module === "" ? address : `${module}.${address}`;

/** @param address of a resource, without an instance's key: neither a type nor a name has a dot in it */
export function resourceNameOf(address: string): ResourceName {
  const name = address.lastIndexOf(".");
  const type = address.lastIndexOf(".", name - 1);
  return {
    module: type === -1 ? "" : address.slice(0, type),
    type: address.slice(type + 1, name),
    name: address.slice(name + 1),
  };
}

/** The address without the keys of module instances, as states name dependencies: `module.a.conn3x_file.web__config`. */
export const withoutModuleKeys = (address: string): string =>
  address.startsWith("module.") ? address.replace(/\[(?:\d+|"(?:[^"\\]|\\.)*")\]/g, "") : address;
