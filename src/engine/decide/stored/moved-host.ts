/**
 * @module Hosts whose address changed since their instances were made.
 */
import { type Diagnostic, warningDiagnostic } from "../../../diagnostics/diagnostic.ts";
import type { BigFloat } from "../../../values/big-float.ts";
import { at } from "../../../values/path.ts";
import type { Value } from "../../../values/value.ts";
import { getPath } from "../../../values/walk.ts";
import type { Subject } from "../../evaluate/resources/subject.ts";

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

/** The place of a stored object, when it is not the configured one. */
export function movedFrom(stored: Value, configured: Value | undefined): Endpoint | undefined {
  const [old, now] = [endpointOf(getPath(stored, at("ssh"))), endpointOf(configured)];
  return old !== undefined && now !== undefined && old !== now ? old : undefined;
}

/** An instance that may have been made elsewhere than its host is configured to be now. */
interface MovedInstance {
  readonly subject: Subject;
  /** The configured `ssh` block. */
  readonly login: Value | undefined;
  readonly movedFrom: Endpoint | undefined;
}

/** That nobody looks after what is at the old place any more; undefined for what did not move. */
export function leftBehind({ subject, login, movedFrom }: MovedInstance): Diagnostic | undefined {
  if (movedFrom === undefined || subject.role === "handler") return undefined;
  const { host } = subject;
  return warningDiagnostic(
    "Address of a host was edited",
    `${host ?? subject.address} was at ${movedFrom} and is at ${endpointOf(login)} now. Unless that is the same machine, what was made at ${movedFrom} stays there, and nothing looks after it any more. To have it removed first, put the old address back, destroy, and edit then.`,
    host === undefined ? { address: subject.address } : { host },
  );
}
