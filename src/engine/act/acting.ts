/**
 * @module What all work on instances shares: what may start, what is reported, what is stored.
 */
import { type ApplyResponse, failureReason, type Provider } from "../../core/index.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { resourceNameOf } from "../../values/address.ts";
import type { MarkedPath } from "../../values/marks.ts";
import { at } from "../../values/path.ts";
import { isUnknown, nullValue, type Value } from "../../values/value.ts";
import { getPath, isWhollyKnown } from "../../values/walk.ts";
import { now } from "../clock.ts";
import type { Decided } from "../decide/decided.ts";
import { placed } from "../decide/instance-reporter.ts";
import type { PlannedInstance } from "../decide/planned-instance.ts";
import type { Loaded } from "../evaluate/load.ts";
import type { PhaseValues } from "../evaluate/names/phase-values.ts";
import type { World } from "../evaluate/names/world.ts";
import type { Expansion } from "../evaluate/resources/expansion.ts";
import type { Event, EventSink } from "../event.ts";
import { eventId } from "../event-id.ts";
import type { StateStore } from "../state/store.ts";
import { storedInstance } from "../state/stored-object.ts";
import type { FinalPlan } from "./final-plan.ts";
import type { Isolation } from "./isolation.ts";
import type { OutcomeCounter } from "./outcome.ts";

export interface ActOptions {
  readonly loaded: Loaded;
  readonly decided: Decided;
  readonly provider: Provider;
  readonly store: StateStore;
  readonly events: EventSink;
  readonly parallelism: number;
  readonly signal: AbortSignal | undefined;
}

export interface Acting extends ActOptions {
  readonly values: PhaseValues;
  readonly world: World;
  readonly isolation: Isolation;
  readonly counter: OutcomeCounter;
  /** Resources whose `for_each` had values that were not known while planning: as it is now. */
  readonly expansions: Map<string, Expansion>;
  /** For each resource that loses instances the resources whose instances go before. */
  readonly destroyedBefore: ReadonlyMap<string, readonly string[]>;
  /** Replacements that were made before the old object is deleted: which old object that is. */
  readonly replaced: Map<PlannedInstance, string>;
  /** The work of the run, by batch of hosts. */
  readonly batches: ReadonlyMap<string, readonly PlannedInstance[]>;
}

/** Puts an instance into the state as the provider left it. */
export function record(
  { store }: Acting,
  { key, type, loaded, existing, resource }: PlannedInstance,
  response: ApplyResponse,
  marks: readonly MarkedPath[],
  tainted: boolean,
): void {
  const instance = storedInstance({
    key,
    tainted,
    type: type.objectType,
    schemaVersion: type.schema.version,
    object: response.state,
    marks,
    private: response.private,
    dependencies: loaded?.dependencies ?? existing?.stored.dependencies ?? [],
    createBeforeDestroy: loaded?.createBeforeDestroy ?? existing?.stored.createBeforeDestroy ?? false,
  });
  const { module, name } = resourceNameOf(resource);
  store.put(type.name, name, instance, module);
}

/** Leaves word that making the instance begins, in case that nobody is left to say how it ended. */
export function recordBegin(
  { store }: Acting,
  { key, type, loaded, resource, subject }: PlannedInstance,
  { planned, plannedPrivate, marks }: FinalPlan,
): void {
  // A handler leaves nothing on its host.
  if (subject.role === "handler") return;
  const instance = storedInstance({
    key,
    tainted: true,
    type: type.objectType,
    schemaVersion: type.schema.version,
    object: asFarAsKnown(planned),
    marks,
    private: plannedPrivate,
    dependencies: loaded?.dependencies ?? [],
    createBeforeDestroy: loaded?.createBeforeDestroy ?? false,
  });
  const { module, name } = resourceNameOf(resource);
  store.begin(type.name, name, instance, module);
}

/** Likewise of an update that is to change something on the host, which a new revision shows. */
export function recordUpdate(
  { store }: Acting,
  { resource, key }: PlannedInstance,
  { planned }: FinalPlan,
): void {
  const revision = getPath(planned, at("revision"));
  if (revision !== undefined && isUnknown(revision)) store.beginUpdate(resource, key);
}

/** The object with null for what is to be found out. */
const asFarAsKnown = (object: Value): Value => ({
  type: object.type,
  data: new Map(
    [...(object.data as ReadonlyMap<string, Value>)].map(([name, value]) => [
      name,
      isWhollyKnown(value) ? value : nullValue(value.type),
    ]),
  ),
});

/** Why nothing more is begun anywhere. */
export function stopped({ signal, store }: Acting): string | undefined {
  if (signal?.aborted) return "the run was stopped";
  return store.problem === undefined ? undefined : "the state cannot be saved";
}

/** Whether the instance must not be begun: it is then said why. */
export function heldBack(acting: Acting, instance: PlannedInstance, after: Iterable<string>): boolean {
  const { isolation, events, counter } = acting;
  // Of a replacement whose first half was not done: that has been said.
  if (isolation.isOut(instance)) return true;
  const because = stopped(acting) ?? isolation.holdsBack(instance, after);
  if (because === undefined) return false;
  isolation.failed(instance, because);
  counter.notDone(instance);
  events({ kind: "apply_skipped", subject: instance.subject, because, at: now() });
  return true;
}

type AppliedAction = Extract<Event, { kind: "apply_start" }>["action"];

/** How work on an instance ended. */
interface Ended {
  /** For a delete: whether the object is still on the host. */
  readonly kept?: boolean;
  /** For an update: whether nothing was left to be done. */
  readonly unchanged?: boolean;
  /** The action that was actually done, if it is not the one that was begun. */
  readonly as?: AppliedAction;
  /** The object on the host now. */
  readonly object?: Value;
}

/**
 * Says that work on an instance begins.
 *
 * @param deposed what it is about, where that is an old object of the instance
 * @returns says that it ended
 */
export function started(
  { events }: Acting,
  instance: PlannedInstance,
  action: AppliedAction,
  deposed?: string,
) {
  const { subject, type, existing, marks, decision } = instance;
  const at = now();
  const id = action === "create" ? undefined : eventId(type, existing?.object, existing?.marks ?? []);
  const old = deposed === undefined ? {} : { deposed };
  const kept = action === "delete" && decision.keeps !== undefined ? ({ kept: true } as const) : {};
  events({
    kind: "apply_start",
    subject,
    id,
    action,
    at,
    ...old,
    ...kept,
    ...runsOf(instance, action, instance.planned),
  });
  return (kind: "apply_complete" | "apply_errored", ended: Ended = {}): void => {
    const { kept = false, unchanged, as = action, object } = ended;
    const end = now();
    const what = { subject, action: as, at: end, elapsed: end - at, ...old };
    if (kind === "apply_complete")
      events({
        kind,
        ...what,
        id: eventId(type, object, marks),
        kept,
        ...(unchanged ? { unchanged } : runsOf(instance, as, object)),
      });
    else events({ kind, ...what });
  };
}

/** Where it is not as for any other handler: one that nothing notifies is made without running. */
function runsOf({ subject, decision }: PlannedInstance, action: AppliedAction, object: Value | undefined) {
  if (subject.role !== "handler") return {};
  if (action === "update") return decision.runs ? { runs: true } : {};
  return action === "create" && object !== undefined && getPath(object, at("skipped"))?.data === true
    ? { runs: false }
    : {};
}

/** Records and says why an instance failed; what comes after it on its host is held back. */
export function fail(acting: Acting, instance: PlannedInstance, diagnostics: readonly Diagnostic[]): void {
  const all = about(instance, diagnostics);
  const first = all.find(({ severity }) => severity === "error");
  const reason = first === undefined ? "failed" : failureReason(first);
  acting.isolation.failed(instance, `${instance.subject.address} failed`);
  acting.counter.failed(instance, reason);
  said(acting, all);
}

/** Says why an instance failed whose errors are to be ignored: only what refers to it is held back. */
export function ignore(acting: Acting, instance: PlannedInstance, diagnostics: readonly Diagnostic[]): void {
  acting.isolation.ignored(instance, `${instance.subject.address} failed`);
  said(
    acting,
    about(
      instance,
      diagnostics.map((diagnostic) => ({ ...diagnostic, severity: "warning" })),
    ),
  );
}

export function said(
  { events, counter }: Pick<Acting, "events" | "counter">,
  diagnostics: readonly Diagnostic[],
): void {
  for (const diagnostic of diagnostics) events({ kind: "diagnostic", diagnostic, at: now() });
  counter.said(diagnostics);
}

export const about = (
  { subject, loaded }: PlannedInstance,
  diagnostics: readonly Diagnostic[],
): readonly Diagnostic[] => diagnostics.map((diagnostic) => placed(subject, loaded?.resource, diagnostic));
