/**
 * @module Names of instances on the command line and in what is printed: an address, or the name that says the
 * workspace as well.
 */
import { formatAddress, parseAddress } from "../values/address.ts";
import { formatUrn, parseUrn } from "../values/urn.ts";

/** The workspace of everything that the embedded engine stores. */
const workspace = "default";

/** Undefined for what is no address: a part of a state that is kept aside (`… (deposed 1a2b3c4d)`). */
export function urnOf(address: string): string | undefined {
  const parsed = parseAddress(address);
  return parsed && formatUrn({ namespace: workspace, address: parsed });
}

/** What is wrong with a name that begins as one of ours; undefined when it is fine, or an address. */
export function checkName(text: string): string | undefined {
  if (!/^urn:/i.test(text)) return undefined;
  const name = parseUrn(text);
  if (name === undefined)
    return `must be an address, or a name such as urn:conn3x:default::.::conn3x_file::web__config@web1, not "${text}"`;
  return name.namespace === workspace
    ? undefined
    : `must name something in the workspace ${workspace}; "${text}" is in ${name.namespace}`;
}

/** The address; a text that is no name as it is. */
export function addressNamed(text: string): string {
  const name = parseUrn(text);
  return name === undefined ? text : formatAddress(name.address);
}

/** How an option or argument takes an address. */
export const namesInstance = { check: checkName, read: addressNamed } as const;
