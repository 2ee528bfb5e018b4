/**
 * @module Where a host is, in words for people.
 */
import type { BigFloat } from "../../values/big-float.ts";
import { at } from "../../values/path.ts";
import type { Value } from "../../values/value.ts";
import { getPath } from "../../values/walk.ts";

/** Where a host is: `10.0.1.5`, or `10.0.1.5:2222` for another port than 22. */
export type Endpoint = string;

/** Undefined where a block does not say, or not yet. */
export function endpointOf(ssh: Value | undefined): Endpoint | undefined {
  if (ssh === undefined || !(ssh.data instanceof Map)) return undefined;
  const address = getPath(ssh, at("address"))?.data;
  const port = getPath(ssh, at("port"))?.data ?? null;
  if (typeof address !== "string") return undefined;
  const number = port === null ? 22 : (port as BigFloat).toNumber?.();
  if (number === undefined) return undefined;
  return number === 22 ? address : `${address}:${number}`;
}
