/**
 * @module Removing what an instance stands for from its host.
 */

import { fieldsOf } from "../revision/proposal.ts";
import { wasSkipped } from "../revision/skip.ts";
import { failed, gone, sshOf } from "./applied.ts";
import { applyLock } from "./apply-lock.ts";
import { type Context, diagnosticOf, sessionFor } from "./context.ts";
import { plainObject } from "./objects.ts";
import type { AnyStep } from "./ours.ts";
import { perform } from "./perform.ts";
import { decodePrivate } from "./private-data.ts";
import type { ApplyRequest, ApplyResponse } from "./provider.ts";

/** Deletes what Conn3x made and keeps what was there before, unless the object says otherwise. */
export async function removeStep(
  context: Context,
  kind: AnyStep,
  request: ApplyRequest,
): Promise<ApplyResponse> {
  if (wasSkipped(fieldsOf(request.prior))) return gone(request);
  const prior = plainObject(request.prior);
  const { existedBefore } = decodePrivate(kind.schema, request.plannedPrivate);
  const keeps = kind.keepsUnlessAsked === true || existedBefore !== false;
  if (prior.on_remove === "keep" || (prior.on_remove !== "delete" && keeps)) {
    return gone(request);
  }
  try {
    const session = sessionFor(context, sshOf(request.prior));
    await applyLock(context, session, kind, prior, async () => {
      const found = await context.facts.read(session, kind, prior, "act");
      await perform(session, kind.remove(prior, found), { done: 0 });
    });
    return gone(request);
  } catch (error) {
    return failed(request, diagnosticOf(error));
  }
}
