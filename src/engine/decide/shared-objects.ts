/**
 * @module Keeps an object on a host from being deleted under one address while another address holds it: a step that
 * was renamed, two addresses for one file.
 */
import { type Diagnostic, warningDiagnostic } from "../../diagnostics/diagnostic.ts";
import { at } from "../../values/path.ts";
import { isNull, isUnknown, type Value } from "../../values/value.ts";
import { getPath } from "../../values/walk.ts";
import type { PlannedInstance } from "./planned-instance.ts";

/**
 * @param ending instances that are deleted, and those that are replaced
 * @param staying all that is there after the apply
 * @returns for each address of an ending object that another address holds, that other one
 */
export function sharedObjects(
  ending: readonly PlannedInstance[],
  staying: readonly PlannedInstance[],
): ReadonlyMap<string, string> {
  const shared = new Map<string, string>();
  if (ending.length === 0) return shared;
  const holders = new Map<string, string>();
  for (const { type, planned, subject } of staying) {
    const identity = identityOf(type.name, planned);
    if (identity !== undefined) holders.set(identity, subject.address);
  }
  for (const { type, existing, subject } of ending) {
    const identity = identityOf(type.name, existing!.object);
    const holder = identity === undefined ? undefined : holders.get(identity);
    if (holder !== undefined && holder !== subject.address) shared.set(subject.address, holder);
  }
  return shared;
}

/** What says which object on which host it is; undefined for actions, which are nothing on a host. */
function identityOf(type: string, object: Value): string | undefined {
  if (type.endsWith("_action") || isNull(object)) return undefined;
  const id = getPath(object, at("id"));
  if (typeof id?.data !== "string") return undefined;
  const places = [at("ssh", "address"), at("ssh", "port")].map((path) => getPath(object, path));
  if (places.some((place) => place !== undefined && isUnknown(place))) return undefined;
  return JSON.stringify([type, id.data, ...places.map((place) => String(place?.data ?? ""))]);
}

/** Says that the object stays. */
export const staysOnHost = (address: string, holder: string): Diagnostic =>
  warningDiagnostic(
    "Object on the host is not deleted",
    `${address} ends, and ${holder} is the same object on the same host: it is left to the latter and only forgotten at the former.`,
    { address },
  );
