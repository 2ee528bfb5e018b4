/**
 * @module Removes the object of an instance from its host.
 */
import { type Diagnostic, warningDiagnostic } from "../../diagnostics/diagnostic.ts";
import { hostOf } from "../../login/index.ts";
import { keptAnswer } from "../../resources/operation.ts";
import { fieldsOf } from "../../revision/proposal.ts";
import { wasSkipped } from "../../revision/skip.ts";
import type { Session } from "../../ssh/index.ts";
import type { PlainObject } from "../../values/plain.ts";
import { type Context, diagnosticOf, sessionFor } from "../context.ts";
import { plainObject } from "../objects.ts";
import type { ApplyRequest, ApplyResponse } from "../provider.ts";
import type { AnyStep } from "../read/ours.ts";
import { decodePrivate, isAnotherMachine, lastApplied, type PrivateData } from "../stored/private-data.ts";
import { withIntact } from "../stored/write-only.ts";
import { failed, gone, sshOf, withNotes } from "./applied.ts";
import { applyLock } from "./apply-lock.ts";
import { beginWriting, expectAsPlanned } from "./as-planned.ts";
import { goingOf, withClaims } from "./claims.ts";
import { keptOnRemoval } from "./keeps.ts";
import { outwaitLeftRunning } from "./left-running.ts";
import { type Progress, perform } from "./perform.ts";

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
  const notes: Diagnostic[] = [];
  try {
    const session = sessionFor(context, request.login ?? sshOf(request.prior));
    if (context.objects.isWrittenByAnother(hostOf(session), kind, prior))
      return { ...gone(request), kept: true, diagnostics: [writtenByAnother(session, kind, prior)] };
    const [machine] = await Promise.all([
      context.machines.idOf(session),
      expectAsPlanned(context, kind, session, request),
    ]);
    // The machine that it was made on is gone, and the object with it.
    if (isAnotherMachine(data, machine)) return gone(request);
    const removal = { kind, prior, data, request, session };
    const left = await applyLock(context, session, kind, prior, () =>
      remove(context, removal, (warning) => notes.push(warning)),
    );
    return withNotes(
      notes,
      left === undefined ? gone(request) : { ...gone(request), kept: true, diagnostics: [left] },
    );
  } catch (error) {
    return withNotes(notes, failed(request, diagnosticOf(error)));
  }
}

interface Removal {
  readonly kind: AnyStep;
  readonly prior: PlainObject;
  readonly data: PrivateData;
  readonly request: ApplyRequest;
  readonly session: Session;
}

/** @returns why the object was left on the host after all */
async function remove(
  context: Context,
  { kind, prior, data, request, session }: Removal,
  note: (warning: Diagnostic) => void,
): Promise<Diagnostic | undefined> {
  const { stopping } = context;
  // The object as it was last applied is removed, not what somebody else has made of it since.
  const applied = plainObject(lastApplied(request.prior, data));
  const decide = async () => {
    const found = await context.facts.read(session, kind, prior, "act");
    const now =
      found.state === "present"
        ? await withIntact(context.hashes, kind, applied, found.facts, data)
        : applied;
    return kind.remove(
      withClaims(kind, now, data),
      found,
      data.holderMade,
      goingOf(context, hostOf(session), kind, data),
    );
  };
  const first = await decide();
  // Another instance may write it by another name, which only that look at the host showed.
  if (context.objects.isWrittenByAnother(hostOf(session), kind, prior))
    return writtenByAnother(session, kind, prior);
  const isLate = await outwaitLeftRunning(session, first, { stopping, note });
  const operations = isLate ? await decide() : first;
  if (operations.length > 0) beginWriting(context, session);
  const host = hostOf(session);
  context.objects.left(host, kind, prior);
  const progress: Progress = { done: 0, stopping, isQuiet: request.sensitive === true, note };
  const answers = await context.renewals.during(host, undefined, () =>
    perform(session, operations, progress),
  );
  return answers.some(({ stdout }) => stdout.toString() === keptAnswer) ? leftBehind(kind, prior) : undefined;
}

const writtenByAnother = ({ login }: Session, kind: AnyStep, prior: PlainObject): Diagnostic =>
  warningDiagnostic(
    "Object on the host is not deleted",
    `${kind.id.of(prior)} on ${login.host} was written in this run for another instance, or for another object of the same one. It belongs to that, and is only forgotten here.`,
  );

const leftBehind = (kind: AnyStep, prior: PlainObject): Diagnostic =>
  warningDiagnostic(
    "Something was left on the host",
    `${kind.id.of(prior)} holds what Conn3x did not make, and was kept with it. It is not managed any more.`,
  );
