/**
 * @module Applies one instance of any kind: create, update or delete.
 */
import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { hostOf } from "../../login/index.ts";
import type { ActionKind } from "../../resources/kind.ts";
import { runsLast } from "../../resources/triggers.ts";
import { fieldsOf } from "../../revision/proposal.ts";
import { wasSkipped } from "../../revision/skip.ts";
import { isNull } from "../../values/value.ts";
import { type Context, diagnosticOf, sessionFor } from "../context.ts";
import { plainObject, withPlain } from "../objects.ts";
import type { ApplyRequest, ApplyResponse } from "../provider.ts";
import { privateOfRemoved } from "../stored/private-data.ts";
import { complete, failed, gone, idOf, sshOf, withNotes } from "./applied.ts";
import { applySkipped } from "./apply-skipped.ts";
import { applyStep } from "./apply-step.ts";
import { beginWriting, expectNoRefusal } from "./as-planned.ts";
import { outwaitLeftRunning } from "./left-running.ts";
import { type Progress, perform } from "./perform.ts";
import { removeStep } from "./remove-step.ts";

export async function applyResource(context: Context, request: ApplyRequest): Promise<ApplyResponse> {
  const kind = context.kinds.get(request.type)!;
  if (context.stopping.aborted) return failed(request, stoppedDiagnostic);
  if (kind.role === "action") return applyAction(context, kind, request);
  if (isNull(request.planned)) {
    const plannedPrivate = privateOfRemoved(kind.schema, request.plannedPrivate);
    return removeStep(context, kind, { ...request, plannedPrivate });
  }
  const skipped = wasSkipped(fieldsOf(request.planned));
  return skipped ? applySkipped(context, kind, request) : applyStep(context, kind, request);
}

const stoppedDiagnostic = errorDiagnostic(
  "Stopped",
  "The run was asked to stop before this instance was begun.",
);

/**
 * An action runs on create; an update records, unless nothing is left to trigger it, and a delete forgets (C9). A failed
 * run records nothing: it is still due.
 */
async function applyAction(
  context: Context,
  kind: ActionKind,
  request: ApplyRequest,
): Promise<ApplyResponse> {
  const { prior, planned } = request;
  if (isNull(planned)) return gone(request);
  const notes: Diagnostic[] = [];
  try {
    const plain = plainObject(planned);
    const hasToRun = isNull(prior) ? !wasSkipped(fieldsOf(planned)) : runsLast(plainObject(prior), plain);
    if (hasToRun) {
      const session = sessionFor(context, sshOf(planned));
      const host = hostOf(session);
      expectNoRefusal(context.writes.refusal(host));
      const renewal = kind.renewal?.(plain);
      const { renewals } = context;
      const operations = renewals.isSuperfluous(host, renewal)
        ? []
        : kind.run(plain, renewals.isFresh(host, renewal));
      await outwaitLeftRunning(session, operations, {
        instance: request.instance,
        stopping: context.stopping,
        note: (warning) => notes.push(warning),
      });
      beginWriting(context, session);
      const progress: Progress = {
        done: 0,
        stopping: context.stopping,
        isQuiet: request.sensitive === true,
        instance: request.instance,
      };
      await renewals.during(host, renewal, () => perform(session, operations, progress));
    }
    const object = withPlain(kind.schema, planned, { ...plain, id: idOf(kind, plain) });
    return { state: complete(object, context.mint), private: new Uint8Array(), diagnostics: notes };
  } catch (error) {
    return withNotes(notes, failed(request, diagnosticOf(error)));
  }
}
