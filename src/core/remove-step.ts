/**
 * @module Removing what an instance stands for from its host.
 */
import { type Diagnostic, warningDiagnostic } from "../diagnostics/diagnostic.ts";
import { keptAnswer } from "../resources/operation.ts";
import { fieldsOf } from "../revision/proposal.ts";
import { wasSkipped } from "../revision/skip.ts";
import type { PlainObject } from "../values/plain.ts";
import { failed, gone, sshOf } from "./applied.ts";
import { applyLock } from "./apply-lock.ts";
import { type Context, diagnosticOf, sessionFor } from "./context.ts";
import { keptOnRemoval } from "./keeps.ts";
import { plainObject } from "./objects.ts";
import type { AnyStep } from "./ours.ts";
import { perform } from "./perform.ts";
import { decodePrivate, lastApplied } from "./private-data.ts";
import type { ApplyRequest, ApplyResponse } from "./provider.ts";

/** Deletes what Conn3x made and keeps what was there before, unless the object says otherwise. */
export async function removeStep(
  context: Context,
  kind: AnyStep,
  request: ApplyRequest,
): Promise<ApplyResponse> {
  if (wasSkipped(fieldsOf(request.prior))) return gone(request);
  const prior = plainObject(request.prior);
  const data = decodePrivate(kind.schema, request.plannedPrivate);
  if (keptOnRemoval(kind, prior, data) !== undefined) return gone(request);
  try {
    let kept = false;
    const session = sessionFor(context, request.login ?? sshOf(request.prior));
    await applyLock(context, session, kind, prior, async () => {
      const found = await context.facts.read(session, kind, prior, "act");
      // What goes is what was applied, not what somebody else has made of it since.
      const applied = plainObject(lastApplied(request.prior, data));
      const answers = await perform(session, kind.remove(applied, found, data.holderMade), {
        done: 0,
        isQuiet: request.sensitive === true,
      });
      kept = answers.some(({ stdout }) => stdout.toString() === keptAnswer);
    });
    return kept ? { ...gone(request), kept, diagnostics: [leftBehind(kind, prior)] } : gone(request);
  } catch (error) {
    return failed(request, diagnosticOf(error));
  }
}

const leftBehind = (kind: AnyStep, prior: PlainObject): Diagnostic =>
  warningDiagnostic(
    "Something was left on the host",
    `${kind.id.of(prior)} holds what Conn3x did not make, and was kept with it. It is not managed any more.`,
  );
