/**
 * @module Ends one instance: a removed one, or the old half of a replacement.
 */
import type { ApplyResponse } from "../../core/provider.ts";
import { type Diagnostic, errorDiagnostic, hasErrors } from "../../diagnostics/diagnostic.ts";
import { isNull, nullValue } from "../../values/value.ts";
import { isOnGoneHost, waysOut } from "../decide/deletes.ts";
import type { PlannedInstance } from "../decide/planned-instance.ts";
import { type Acting, about, fail, heldBack, record, said, started } from "./acting.ts";
import { holdsSecrets } from "./secrets.ts";

export async function destroyInstance(acting: Acting, instance: PlannedInstance): Promise<void> {
  const { provider, store, isolation } = acting;
  const { resource, key, type, existing, plannedPrivate, decision, subject } = instance;
  if (heldBack(acting, instance, acting.destroyedBefore.get(resource) ?? [])) return;
  const ended = started(acting, instance, "delete");
  const response = acting.decided.forgotten.has(subject.address)
    ? forgotten(instance)
    : await provider.applyResource({
        type: type.name,
        prior: existing!.object,
        planned: nullValue(type.objectType),
        config: nullValue(type.objectType),
        ...(existing!.login === undefined ? {} : { login: existing!.login }),
        sensitive: holdsSecrets(type, existing!.marks),
        plannedPrivate: decision.action === "delete" ? plannedPrivate : existing!.private,
      });
  if (isNull(response.state)) store.remove(resource, key);
  else record(acting, instance, response, existing!.marks, existing!.stored.tainted);
  // Whoever changes the host next must find that the handler is still to run, whatever happens in between.
  if (subject.role === "handler") await store.durable();
  if (hasErrors(response.diagnostics)) {
    isolation.failed(instance, `${subject.address} could not be destroyed`);
    ended("apply_errored");
    const advice = isOnGoneHost(instance) ? [hostIsGone(instance)] : [];
    fail(acting, instance, [...response.diagnostics, ...advice]);
    return;
  }
  said(acting, about(instance, response.diagnostics));
  const kept =
    decision.keeps !== undefined || response.kept === true || acting.decided.forgotten.has(subject.address);
  ended("apply_complete", { kept });
  if (decision.action === "delete") acting.counter.count(kept ? "kept" : "deleted");
  else if (!kept && subject.role !== "handler") acting.counter.removedOld(instance);
}

const hostIsGone = ({ subject }: PlannedInstance): Diagnostic =>
  errorDiagnostic("What was made on a host cannot be removed", waysOut(subject));

/** What is on the host belongs to another instance: only the state loses it. */
const forgotten = ({ type }: PlannedInstance): ApplyResponse => ({
  state: nullValue(type.objectType),
  private: new Uint8Array(),
  diagnostics: [],
});
