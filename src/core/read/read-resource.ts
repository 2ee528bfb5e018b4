/**
 * @module Refreshes one instance from its host.
 */
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { warningDiagnostic } from "../../diagnostics/diagnostic.ts";
import { endpointOf, hostOf } from "../../login/index.ts";
import type { Found } from "../../resources/kind.ts";
import { ownershipOf } from "../../revision/ownership.ts";
import { fieldsOf } from "../../revision/proposal.ts";
import { wasSkipped } from "../../revision/skip.ts";
import { HostError, type Session } from "../../ssh/index.ts";
import { nullValue, type Value } from "../../values/value.ts";
import { sshOf } from "../apply/applied.ts";
import { type Context, diagnosticOf, NotKnownYet, sessionFor } from "../context.ts";
import { hostWarning } from "../hosts/host-diagnostics.ts";
import { plainObject, withPlain } from "../objects.ts";
import type { ReadRequest, ReadResponse } from "../provider.ts";
import {
  decodePrivate,
  encodePrivate,
  isAnotherMachine,
  isReadablePrivate,
  lastApplied,
  type PrivateData,
  rememberApplied,
} from "../stored/private-data.ts";
import { withIntact } from "../stored/write-only.ts";
import { type AnyStep, exactNames, isOurs } from "./ours.ts";

/**
 * An action has nothing on the host: a refresh never changes it (C10).
 *
 * @param why `again`: to see whether the host is still as the plan saw it
 */
export async function readResource(
  context: Context,
  request: ReadRequest,
  why: "refresh" | "again" = "refresh",
): Promise<ReadResponse> {
  const kind = context.kinds.get(request.type)!;
  if (kind.role === "action" || isLeftAlone(request.current)) return unchanged(request);
  try {
    const data = decodePrivate(kind.schema, request.private);
    // What is looked for is what was applied, not what an earlier read found instead of it.
    const applied = lastApplied(request.current, data);
    const session = sessionFor(context, request.login ?? sshOf(request.current));
    if (why === "refresh") context.writes.startOver(hostOf(session));
    const [found, warning, machine] = await Promise.all([
      context.facts.read(session, kind, plainObject(applied), "refresh"),
      context.machines.meet(session),
      context.machines.idOf(session),
    ]);
    const { readAt: _, ...before } = data;
    const known = { applied, data: { ...before, ...(machine && { machine }), ...readAt(request) } };
    const response = isAnotherMachine(data, machine)
      ? rebuilt(request, session)
      : await observed(context, request, kind, known, found);
    return withWarning(withWarning(response, warning), unreadable(request));
  } catch (error) {
    return unread(request, whyUnread(error));
  }
}

/** Where it was read, if it is stored to be elsewhere. */
function readAt({ login, current }: ReadRequest): Pick<PrivateData, "readAt"> {
  const endpoint = login && endpointOf(login);
  return endpoint === undefined || endpoint === endpointOf(sshOf(current)) ? {} : { readAt: endpoint };
}

/** A host that is down, or whose login this run has yet to make, hinders no plan. */
function whyUnread(error: unknown): Diagnostic {
  if (error instanceof HostError && error.hostDown) return hostWarning(error);
  if (!(error instanceof NotKnownYet)) return diagnosticOf(error);
  const { detail } = error.diagnostic;
  return warningDiagnostic(
    "Host is not known yet",
    `${detail} Nothing was looked at there: what is stored about it stands until it is known.`,
  );
}

/** Nothing of what was made on the machine before is on this one, whatever is found there. */
const rebuilt = ({ current }: ReadRequest, { login }: Session): ReadResponse => ({
  state: nullValue(current.type),
  private: new Uint8Array(),
  rebuilt: true,
  diagnostics: [
    warningDiagnostic(
      "Host is another machine",
      `${login.host} is not the machine that was worked on before: its /etc/machine-id is another. Nothing that was made there counts as being there: all of it is made again, and commands and reboots run again.`,
    ),
  ],
});

/** What a `when` leaves out has nothing on the host, and what `drift { mode = "disabled" }` says is not looked at. */
function isLeftAlone(stored: Value): boolean {
  const fields = fieldsOf(stored)!;
  return wasSkipped(fields) || ownershipOf(fields).mode === "disabled";
}

/** A state that was edited by hand, or damaged. What is kept beside an object is not shown anywhere else. */
const unreadable = ({ private: kept }: ReadRequest): Diagnostic | undefined =>
  isReadablePrivate(kept)
    ? undefined
    : warningDiagnostic(
        "Part of the state cannot be read",
        'Its "private" is not what Conn3x writes: the state was edited, or damaged. It counts as empty, so that it is not known any more whether the object was on the host before Conn3x (it is kept when it is removed), and what has drifted since the last apply.',
      );

const withWarning = (response: ReadResponse, warning: Diagnostic | undefined): ReadResponse =>
  warning === undefined ? response : { ...response, diagnostics: [warning, ...response.diagnostics] };

/** The answer for an instance with nothing on its host. */
const unchanged = (request: ReadRequest): ReadResponse => ({
  state: request.current,
  private: request.private,
  diagnostics: [],
});

const unread = (request: ReadRequest, why: Diagnostic): ReadResponse => ({
  ...unchanged(request),
  diagnostics: [why],
  unread: true,
});

/** Only what is positively not there counts as gone; what cannot be read keeps what is stored. */
async function observed(
  { hashes }: Context,
  request: ReadRequest,
  kind: AnyStep,
  { applied, data }: { readonly applied: Value; readonly data: PrivateData },
  found: Found<unknown>,
): Promise<ReadResponse> {
  const object = plainObject(applied);
  if (found.state === "unreadable") {
    return unread(
      request,
      warningDiagnostic(
        "Cannot be read on the host",
        `${kind.id.of(object)} ${found.why}. What is stored about it was left as it is.`,
      ),
    );
  }
  if (found.state === "absent" || !isOurs(kind, found.facts, object, data.existedBefore === false)) {
    return { state: nullValue(request.current.type), private: new Uint8Array(), diagnostics: [] };
  }
  // Spelled as it was last applied where that means the same, so that drift which went away leaves no trace.
  const seen = await withIntact(hashes, kind, kind.observe(found.facts, object), found.facts, data);
  const state = withPlain(kind.schema, applied, seen);
  return {
    state,
    ...(found.realNames === undefined ? {} : { realNames: found.realNames }),
    private: encodePrivate(kind.schema, {
      ...rememberApplied(applied, state, data),
      exact: exactNames(kind, found.facts, seen),
    }),
    diagnostics: [],
  };
}
