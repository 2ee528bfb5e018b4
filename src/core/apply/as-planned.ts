/**
 * @module Before anything is written on a host, all that is to change there must still be as planned (P5), or nothing is
 * written on it in this run. Later, apply converges from what it finds: that may come from an earlier step.
 *
 * The embedded engine checks all instances of a host at once, and says so in its requests. Under other engines each
 * instance is checked by itself, as long as nothing was written.
 */
import { type Diagnostic, errorDiagnostic, hasErrors } from "../../diagnostics/diagnostic.ts";
import { hostOf } from "../../login/index.ts";
import { fieldsOf } from "../../revision/proposal.ts";
import { changedSincePlan } from "../../revision/since-plan.ts";
import type { Session } from "../../ssh/index.ts";
import { isNull } from "../../values/value.ts";
import { isWhollyKnown } from "../../values/walk.ts";
import { type Context, Failure } from "../context.ts";
import { plainObject } from "../objects.ts";
import type { ApplyRequest } from "../provider.ts";
import type { AnyStep } from "../read/ours.ts";
import { readResource } from "../read/read-resource.ts";
import { sshOf } from "./applied.ts";

/**
 * Checks that an update or a delete may begin.
 *
 * @throws Failure when the host is not as the plan saw it
 */
export async function expectAsPlanned(
  context: Context,
  kind: AnyStep,
  session: Session,
  request: ApplyRequest,
): Promise<void> {
  const host = hostOf(session);
  expectNoRefusal(context.writes.refusal(host));
  const { prior, planned, checked = false, plannedPrivate } = request;
  if (checked || isNull(prior) || context.writes.hasBegun(host)) return;
  const login = isNull(planned) ? request.login : sshOf(planned);
  const { state, diagnostics } = await readResource(
    context,
    {
      type: kind.type,
      current: prior,
      private: plannedPrivate,
      ...(login === undefined || isNull(login) || !isWhollyKnown(login) ? {} : { login }),
    },
    "again",
  );
  // An object that cannot be read fails where it is applied.
  if (hasErrors(diagnostics)) return;
  const differing = changedSincePlan(kind.schema, {
    prior: fieldsOf(prior)!,
    planned: fieldsOf(planned),
    now: fieldsOf(state),
  });
  if (differing === undefined) return;
  // Another instance may have begun meanwhile.
  const isUntouched = !context.writes.hasBegun(host);
  const changed = hostChanged(String(kind.id.of(plainObject(prior))), differing, isUntouched);
  context.writes.refuse(host, changed);
  throw new Failure(changed);
}

/**
 * Called right before something is written on the host: the last moment at which what another instance found can stop it.
 *
 * @throws Failure when the host is not as the plan saw it
 */
export function beginWriting(context: Context, session: Session): void {
  expectNoRefusal(context.writes.begin(hostOf(session)));
}

/** @throws Failure */
export function expectNoRefusal(refusal: Diagnostic | undefined): void {
  if (refusal !== undefined) throw new Failure(refusal);
}

/**
 * @param object what it is about
 * @param names of settings that changed; empty when it is gone
 * @param isUntouched whether nothing was written on the host in this run
 */
export function hostChanged(object: string, names: readonly string[], isUntouched = true): Diagnostic {
  const what = names.length === 0 ? "it is gone" : `${names.join(", ")} changed`;
  const done = isUntouched ? "Nothing was done" : "Nothing more is done";
  return errorDiagnostic(
    "Host has changed since the plan",
    `${object}: ${what}. ${done} on this host, so that nothing happens which the plan did not show. Plan again, with a refresh.`,
  );
}
