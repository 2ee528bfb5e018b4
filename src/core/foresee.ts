/**
 * @module Looks at the host while planning, so that what an apply would fail of shows before anything is touched (P4).
 *
 * Never fails a plan for a host that cannot be asked, nor for what is missing on a host where the run changes more than
 * this one instance: an earlier step may bring it, and apply looks again.
 */
import { type Diagnostic, hasErrors } from "../diagnostics/diagnostic.ts";
import type { Kind } from "../resources/kind.ts";
import type { Outcome } from "../revision/decide.ts";
import { HostError } from "../ssh/host-error.ts";
import type { Session } from "../ssh/session.ts";
import { Unknown, type Value } from "../values/value.ts";
import { type Context, Failure, hostOf, sessionFor } from "./context.ts";
import { plainObject } from "./objects.ts";

/** @param outcome of a plan that is neither a deletion nor nothing */
export async function foresee(
  context: Context,
  kind: Kind,
  { planned, decision, diagnostics }: Outcome,
): Promise<readonly Diagnostic[]> {
  if (decision.action === "none" || decision.action === "delete" || hasErrors(diagnostics)) return [];
  const session = sessionOf(context, planned);
  if (session === undefined) return [];
  const object = plainObject(planned);
  const host = hostOf(session);
  const instance = `${kind.type} ${JSON.stringify(object.id)}`;
  context.plannedChanges.add(host, instance);
  if (kind.role === "action" || kind.foresee === undefined || object.id instanceof Unknown) return [];
  try {
    const found = await context.facts.read(session, kind, object, "foresee");
    const foreseen = kind.foresee(object, found);
    return context.plannedChanges.hasOthers(host, instance)
      ? foreseen.filter(({ severity }) => severity === "warning")
      : foreseen;
  } catch (error) {
    if (error instanceof HostError) return [];
    throw error;
  }
}

/** Undefined where it is not known yet how the host is reached. */
function sessionOf(context: Context, planned: Value): Session | undefined {
  try {
    return sessionFor(context, (planned.data as ReadonlyMap<string, Value>).get("ssh"));
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
