/**
 * @module Errors about references to something that does not exist.
 */

import { nearest } from "../../../diagnostics/nearest.ts";
import type { Resolution } from "../../../eval/scope.ts";
import type { InstanceKey } from "../../../values/address.ts";

export const outside = (root: string, argument: string): Resolution => ({
  summary: `"${root}" has no meaning here`,
  detail: `"${root}" is there only in a resource that has ${argument}.`,
});

export const incomplete = (root: string): Resolution => ({
  summary: `"${root}" is not a value`,
  detail: `Name what is meant: ${root}.NAME.`,
});

export function missing(what: string, name: string, names: Iterable<string>): Resolution {
  const near = nearest(name, names);
  return {
    summary: `There is no ${what} "${name}"`,
    detail: near === undefined ? "Declare it, or remove the reference." : `Did you mean "${near}"?`,
  };
}

/** The error for an attribute that a name does not have: it has only `names`. */
export function noAttribute(root: string, name: string, names: readonly string[]): Resolution {
  const near = nearest(name, names);
  const all = names.map((one) => `${root}.${one}`).join(", ");
  return {
    summary: `"${root}" has no attribute "${name}"`,
    detail: near === undefined ? `There is only ${all}.` : `Did you mean "${near}"?`,
  };
}

export const noSuchInstance = (address: string, key: InstanceKey): Resolution => ({
  summary: `${address} has no such instance`,
  detail: `There is no instance with the key ${JSON.stringify(key)}.`,
});
