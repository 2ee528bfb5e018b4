/**
 * @module Creates or updates one instance.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { ApplyResponse } from "../../core/index.ts";
import { type Diagnostic, errorDiagnostic, hasErrors } from "../../diagnostics/diagnostic.ts";
import { at } from "../../values/path.ts";
import { isNull, nullValue, type Value } from "../../values/value.ts";
import { getPath, isWhollyKnown, setPath } from "../../values/walk.ts";
import { failedPostconditions, failedPreconditions } from "../decide/checks/instance-conditions.ts";
import { markedObject, objectName, type PlannedInstance } from "../decide/planned-instance.ts";
import type { Self } from "../evaluate/names/self.ts";
import { expandResource, selfOf } from "../evaluate/resources/expansion.ts";
import { withoutSecrets } from "../evaluate/without-secrets.ts";
import {
  type Acting,
  about,
  fail,
  heldBack,
  ignore,
  record,
  recordBegin,
  recordUpdate,
  said,
  started,
} from "./acting.ts";
import { type Attempts, attemptsOf } from "./attempts.ts";
import { depose, restore } from "./depose.ts";
import { type FinalPlan, finalPlan } from "./final-plan.ts";
import { holdsSecrets } from "./secrets.ts";
import { spared } from "./spared-handler.ts";

export async function makeInstance(acting: Acting, instance: PlannedInstance): Promise<void> {
  const { loaded, decision, existing, resource, key, type } = instance;
  if (heldBack(acting, instance, loaded!.allAfter)) return;
  const updates = decision.action === "update";
  const ended = started(acting, instance, updates ? "update" : "create");
  const self = currentSelf(acting, instance);
  const unmet = failedPreconditions(loaded!, self, acting.world);
  const { attempts, problems: wrong } =
    unmet.length > 0 ? { attempts: undefined, problems: unmet } : attemptsOf(instance, self, acting.world);
  const final = wrong === undefined && (await finalPlan(instance, self, acting.world, acting.provider));
  if (final === false || final.kind === "failed") {
    ended("apply_errored");
    fail(acting, instance, final === false ? (wrong ?? []) : final.diagnostics);
    return;
  }
  const { plan } = final;
  if (plan.nothingLeft) {
    const object = markedObject(type, existing!.object, plan.marks);
    if (!holds(acting, instance, self, object, ended)) return;
    acting.values.set(resource, key, object);
    ended("apply_complete", { object: existing!.object, unchanged: true });
    return;
  }
  if (updates) recordUpdate(acting, instance, plan);
  const back = await spared(acting, instance, plan);
  const isMade = !updates && back === undefined;
  const old = isMade && decision.createFirst === true ? depose(acting, instance) : undefined;
  if (isMade) recordBegin(acting, instance, plan);
  // Nobody would know what has been done there: another instance may have used up the room for it.
  if (acting.store.problem !== undefined) {
    ended("apply_errored");
    fail(acting, instance, [acting.store.problem]);
    return;
  }
  const response = back ?? (await applied(acting, instance, plan, attempts!));
  const problems = [
    ...final.diagnostics,
    ...withoutSecrets(response.diagnostics, plan.planned, plan.marks),
    ...misbehaviour(instance, response),
  ];
  const hasFailed = hasErrors(problems);
  const isThere = !isNull(response.state) && isWhollyKnown(response.state);
  if (isThere) record(acting, instance, response, plan.marks, hasFailed && !updates);
  else if (!updates) acting.store.settle(resource, key);
  else if (isNull(response.state)) acting.store.remove(resource, key);
  if (old !== undefined && !isThere) restore(acting, instance, old);
  if (hasFailed) {
    ended("apply_errored");
    if (attempts!.ignoreErrors) {
      acting.values.set(resource, key, markedObject(type, asFailed(instance, plan), plan.marks));
      ignore(acting, instance, problems);
    } else fail(acting, instance, problems);
    return;
  }
  if (old !== undefined) acting.replaced.set(instance, old);
  const object = markedObject(type, response.state, plan.marks);
  if (!holds(acting, instance, self, object, ended)) return;
  acting.values.set(resource, key, object);
  said(acting, about(instance, problems));
  if (back === undefined && decision.action === "replace") acting.counter.replaced(instance);
  else acting.counter.count(updates || back !== undefined ? "updated" : "created");
  ended("apply_complete", { object: response.state, ...(back === undefined ? {} : { as: "update" }) });
}

/**
 * For the handlers of an instance whose failure is ignored: its revision is the one that there was, or none. What else is
 * not known stays so.
 */
function asFailed({ existing, decision }: PlannedInstance, { planned }: FinalPlan): Value {
  const before = decision.action === "update" ? getPath(existing!.object, at("revision")) : undefined;
  return setPath(planned, at("revision"), (revision) => before ?? nullValue(revision.type));
}

/** Whether its postconditions hold. Where one does not the instance is stored as it is, and what comes after is not done. */
function holds(
  acting: Acting,
  instance: PlannedInstance,
  self: Self,
  object: Value,
  ended: ReturnType<typeof started>,
): boolean {
  const unmet = failedPostconditions(instance.loaded!, self, object, acting.world);
  if (unmet.length === 0) return true;
  ended("apply_errored");
  fail(acting, instance, unmet);
  return false;
}

/** Tries as often as the step says. */
async function applied(
  acting: Acting,
  instance: PlannedInstance,
  plan: FinalPlan,
  { count, interval }: Attempts,
): Promise<ApplyResponse> {
  const { provider, signal, store } = acting;
  const { type, decision, existing } = instance;
  const updates = decision.action === "update";
  const prior = updates ? existing!.object : nullValue(type.objectType);
  const update = {
    changes: plan.edits,
    dependencies: decision.dependencies ?? [],
    sensitivePaths: plan.marks.map(({ path }) => path),
  };
  const { config } = plan;
  let { planned, plannedPrivate } = plan;
  for (let attempt = 1; ; attempt++) {
    const response = await provider.applyResource({
      type: type.name,
      instance: instance.subject.address,
      prior,
      planned,
      config,
      plannedPrivate,
      sensitive: holdsSecrets(type, plan.marks),
      sensitivePaths: plan.marks.map(({ path }) => path),
      ...(updates ? { update } : {}),
      checked: true,
      ...takenOver(acting, instance),
    });
    if (!hasErrors(response.diagnostics) || attempt >= count) return response;
    await delay(interval, undefined, { signal }).catch(() => undefined);
    if (signal?.aborted || store.problem !== undefined) return response;
    if (!isNull(prior)) continue;
    // What the attempt has left on the host is ours.
    const request = { type: type.name, prior, config, priorPrivate: plannedPrivate };
    const again = await provider.planResource(request);
    if (hasErrors(again.diagnostics)) continue;
    planned = again.planned;
    plannedPrivate = again.private;
  }
}

/** Of a replacement that is made before its old object ends, and is the same on the host: what is known of that. */
function takenOver({ decided }: Acting, instance: PlannedInstance): { readonly takesOver?: Uint8Array } {
  const { decision, existing } = instance;
  const isSame = decision.createFirst === true && decided.forgotten.has(objectName(instance));
  return isSame ? { takesOver: existing!.private } : {};
}

/** Errors about answers that a provider must never give (R2, R3). */
function misbehaviour(
  { subject }: PlannedInstance,
  { state, diagnostics }: ApplyResponse,
): readonly Diagnostic[] {
  if (hasErrors(diagnostics) || (!isNull(state) && isWhollyKnown(state))) return [];
  return [
    errorDiagnostic(
      "Provider returned no complete object",
      `${subject.address} was applied, but what it is now was not said. This is a bug in Conn3x; please report it.`,
    ),
  ];
}

/** `each` and `count` with what has become known since the plan. */
function currentSelf(acting: Acting, { self, loaded, resource, key }: PlannedInstance): Self {
  if (self.each === undefined || isWhollyKnown(self.each.value)) return self;
  let expansion = acting.expansions.get(resource);
  if (expansion === undefined) {
    const expanded = expandResource(loaded!.resource, acting.world.scope({}, undefined, loaded!.module));
    expansion = expanded.expansion ?? acting.decided.expansions.get(resource)!;
    acting.expansions.set(resource, expansion);
  }
  return expansion.kind === "each" && expansion.entries.has(key as string) ? selfOf(expansion, key) : self;
}
