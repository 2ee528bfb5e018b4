/**
 * @module Where a login leads: address and port. And whether an instance is to be on another host than the one where it was
 * last seen: an address may be known only once the machine is there, so that nothing was read on it before.
 */
import { BigFloat } from "../values/big-float.ts";
import { at } from "../values/path.ts";
import { isUnknown, type Value } from "../values/value.ts";
import { getPath } from "../values/walk.ts";

/** Address and port of a host: `10.0.1.5:22`. */
export type Endpoint = string;

/** Undefined where a block does not say, or not yet. */
export function endpointOf(ssh: Value | undefined): Endpoint | undefined {
  if (ssh === undefined) return undefined;
  const [address, port] = ["address", "port"].map((name) => getPath(ssh, at(name))?.data ?? null);
  if (typeof address !== "string") return undefined;
  if (port === null) return `${address}:22`;
  return port instanceof BigFloat ? `${address}:${port.toNumber()}` : undefined;
}

/** For messages: without the usual port. */
export const endpointText = (endpoint: Endpoint): string => endpoint.replace(/:22$/, "");

/**
 * @param stored `ssh` block of the object as it is stored
 * @param wanted as it is to be
 * @param readAt where it was read since, if that was not where it is stored to be
 */
export function isElsewhere(
  stored: Value | undefined,
  wanted: Value | undefined,
  readAt: Endpoint | undefined,
): boolean {
  const before = endpointOf(stored);
  if (before === undefined || wanted === undefined) return false;
  const now = endpointOf(wanted);
  if (now !== undefined) return now !== before && now !== readAt;
  return isUnknown(wanted) || ["address", "port"].some((name) => isUnknownAt(wanted, name));
}

function isUnknownAt(ssh: Value, name: string): boolean {
  const value = getPath(ssh, at(name));
  return value !== undefined && isUnknown(value);
}
