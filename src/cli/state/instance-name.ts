/**
 * @module Names of instances on the command line and in what is printed: an address, or the name that says the
 * workspace as well.
 */

import { chosenEngine } from "../../tofu/program/program.ts";
import { defaultWorkspace, selectedWorkspace } from "../../tofu/program/workspace.ts";
import { formatAddress, parseAddress } from "../../values/address.ts";
import { formatUrn, parseUrn } from "../../values/urn.ts";
import type { Options } from "../command-line/option.ts";
import type { EngineOption } from "../command-line/shared-options.ts";

/** The name of an address; undefined for what is none: a part of a state that is kept aside (`… (deposed 1a2b3c4d)`). */
export type UrnOf = (address: string) => string | undefined;

/** Names of what a workspace has; the embedded engine stores everything in `default`. */
export const urnsIn =
  (workspace: string = defaultWorkspace): UrnOf =>
  (address) => {
    const parsed = parseAddress(address);
    return parsed && formatUrn({ namespace: workspace, address: parsed });
  };

/** Names in the workspace that a command is about: that of the engine that its options choose. */
export function urnsFor(options: Options<EngineOption>): UrnOf {
  return urnsIn(
    chosenEngine(options.value("engine"), process.env) === undefined
      ? defaultWorkspace
      : selectedWorkspace(process.env),
  );
}

/** What is wrong with a name that begins as one of ours; undefined when it is fine, or an address. */
function checkName(text: string): string | undefined {
  if (!/^urn:/i.test(text)) return undefined;
  const name = parseUrn(text);
  if (name === undefined)
    return `must be an address, or a name such as urn:conn3x:default::.::conn3x_file::web__config@web1, not "${text}"`;
  const workspaces = new Set([defaultWorkspace, selectedWorkspace(process.env)]);
  return workspaces.has(name.namespace)
    ? undefined
    : `must name something in the workspace ${[...workspaces].join(" or ")}; "${text}" is in ${name.namespace}`;
}

/** The address; text that is not a name is returned as it is. */
function addressNamed(text: string): string {
  const name = parseUrn(text);
  return name === undefined ? text : formatAddress(name.address);
}

/** How an option or argument takes an address. */
export const namesInstance = { check: checkName, read: addressNamed } as const;
