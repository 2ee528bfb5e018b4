/**
 * @module Ends one object: a removed instance's, the old half of a replacement, or what a replacement replaced.
 */
import type { ApplyResponse } from "../../core/index.ts";
import { type Diagnostic, errorDiagnostic, hasErrors } from "../../diagnostics/diagnostic.ts";
import { isNull, nullValue } from "../../values/value.ts";
import { objectName, type PlannedInstance } from "../decide/planned-instance.ts";
import { isOnGoneHost, waysOut } from "../decide/stored/deletes.ts";
import { withoutSecrets } from "../evaluate/without-secrets.ts";
import { type Acting, about, fail, heldBack, record, said, started } from "./acting.ts";
import { holdsSecrets } from "./secrets.ts";
import { dependentsOf } from "./work.ts";

export async function destroyInstance(acting: Acting, instance: PlannedInstance): Promise<void> {
  if (heldBack(acting, instance, acting.destroyedBefore.get(instance.resource) ?? [])) return;
  await end(acting, instance, instance.deposed);
}

/** Deletes the object that a replacement, of this run or an earlier one, has replaced. */
export async function retireOld(acting: Acting, instance: PlannedInstance): Promise<void> {
  const deposed = instance.deposed ?? acting.replaced.get(instance);
  // Its replacement was not made: that has been reported.
  if (deposed === undefined) return;
  if (heldBack(acting, instance, dependentsOf(instance.resource, acting.loaded))) return;
  await end(acting, instance, deposed);
}

/** @param deposed which old object it is; undefined for the instance itself */
async function end(acting: Acting, instance: PlannedInstance, deposed: string | undefined): Promise<void> {
  const { store, isolation } = acting;
  const { resource, key, existing, decision, subject } = instance;
  const ended = started(acting, instance, "delete", deposed);
  const isForgotten = acting.decided.forgotten.has(objectName(instance));
  const response = isForgotten ? forgotten(instance) : await deleted(acting, instance);
  const problems =
    existing === undefined
      ? response.diagnostics
      : withoutSecrets(response.diagnostics, existing.object, existing.marks);
  if (isNull(response.state)) store.remove(resource, key, deposed);
  else if (deposed === undefined)
    record(acting, instance, response, existing!.marks, existing!.stored.tainted);
  // Whoever changes the host next must find that the handler is still to run, whatever happens in between.
  if (subject.role === "handler") await store.durable();
  if (hasErrors(response.diagnostics)) {
    isolation.failed(instance, `${subject.address} could not be destroyed`);
    ended("apply_errored");
    const advice = isOnGoneHost(instance) ? [hostIsGone(instance)] : [];
    fail(acting, instance, [...problems, ...advice]);
    return;
  }
  said(acting, about(instance, problems));
  const kept = decision.keeps !== undefined || response.kept === true || isForgotten;
  ended("apply_complete", { kept });
  if (decision.action === "delete") acting.counter.count(kept ? "kept" : "deleted");
  else if (deposed === undefined && !kept && subject.role !== "handler") acting.counter.removedOld(instance);
}

const deleted = (
  { provider }: Acting,
  { type, existing, plannedPrivate, decision }: PlannedInstance,
): Promise<ApplyResponse> =>
  provider.applyResource({
    type: type.name,
    prior: existing!.object,
    planned: nullValue(type.objectType),
    config: nullValue(type.objectType),
    ...(existing!.login === undefined ? {} : { login: existing!.login }),
    sensitive: holdsSecrets(type, existing!.marks),
    sensitivePaths: existing!.marks.map(({ path }) => path),
    checked: true,
    plannedPrivate: decision.action === "delete" ? plannedPrivate : existing!.private,
  });

const hostIsGone = ({ subject }: PlannedInstance): Diagnostic =>
  errorDiagnostic("What was made on a host cannot be removed", waysOut(subject));

/** The object belongs to another instance: it is only removed from the state. */
const forgotten = ({ type }: PlannedInstance): ApplyResponse => ({
  state: nullValue(type.objectType),
  private: new Uint8Array(),
  diagnostics: [],
});
