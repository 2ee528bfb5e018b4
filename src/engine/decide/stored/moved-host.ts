/**
 * @module Hosts whose address changed since their instances were made.
 */
import { type Diagnostic, warningDiagnostic } from "../../../diagnostics/diagnostic.ts";
import { type Endpoint, endpointOf, endpointText } from "../../../login/index.ts";
import { at } from "../../../values/path.ts";
import type { Value } from "../../../values/value.ts";
import { getPath } from "../../../values/walk.ts";
import type { Subject } from "../../evaluate/resources/subject.ts";

/** Where a stored object is, when that is not where it is configured. */
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

/** A warning that the object at the old location is no longer managed; undefined for what did not move. */
export function leftBehind({ subject, login, movedFrom }: MovedInstance): Diagnostic | undefined {
  if (movedFrom === undefined || subject.role === "handler") return undefined;
  const { host } = subject;
  const before = endpointText(movedFrom);
  return warningDiagnostic(
    "Address of a host was edited",
    `${host ?? subject.address} was at ${before} and is at ${endpointText(endpointOf(login) ?? "")} now. Unless that is the same machine, what was made at ${before} stays there, and nothing looks after it any more. To have it removed first, put the old address back, destroy, and edit then.`,
    host === undefined ? { address: subject.address } : { host },
  );
}
