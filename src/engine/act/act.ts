/**
 * @module Carries out what was decided (X7): first what ends, dependents first, then what is created and updated, in
 * order. Everything completed is stored at once.
 */
import type { ApplyResponse, Provider } from "../../core/provider.ts";
import { type Diagnostic, errorDiagnostic, hasErrors } from "../../diagnostics/diagnostic.ts";
import { valuesEqual } from "../../values/equal.ts";
import { type MarkedPath, markPaths } from "../../values/marks.ts";
import { isNull, nullValue, type Value } from "../../values/value.ts";
import { isWhollyKnown } from "../../values/walk.ts";
import { now } from "../decide/clock.ts";
import { type Decided, selfOf } from "../decide/decide.ts";
import { destroyDependencies, groupByResource } from "../decide/destroy-order.ts";
import { evaluateOutputs } from "../decide/outputs.ts";
import type { PlannedInstance } from "../decide/planned-instance.ts";
import type { Event, EventSink } from "../event.ts";
import { type Expansion, expand } from "../load/expansion.ts";
import { functionsFor } from "../load/functions.ts";
import type { Loaded } from "../load/load.ts";
import { PhaseValues } from "../load/phase-values.ts";
import { Problems } from "../load/problems.ts";
import { createWorld, type Self, type World } from "../load/world.ts";
import type { ApplyOutcome } from "../run.ts";
import type { StateOutput } from "../state/state.ts";
import type { StateStore } from "../state/store.ts";
import { outputValue, outputValues, storedInstance, storedOutput } from "../state/stored-object.ts";
import { finalPlan } from "./final-plan.ts";
import { Isolation } from "./isolation.ts";
import { OutcomeCounter } from "./outcome.ts";
import { runGroups, type TaskGroup } from "./schedule.ts";

export interface ActOptions {
  readonly loaded: Loaded;
  readonly decided: Decided;
  readonly provider: Provider;
  readonly store: StateStore;
  readonly events: EventSink;
  readonly parallelism: number;
  readonly signal: AbortSignal | undefined;
}

/** Never rejects for what goes wrong on hosts or with the state: that is in the outcome. */
export async function act(options: ActOptions): Promise<ApplyOutcome> {
  const { decided, store } = options;
  const acting = begin(options);
  storeRefreshed(acting);
  const replaced = decided.others.filter(({ decision }) => decision.action === "replace");
  await runGroups(destroyGroups(acting, [...decided.deletes, ...replaced]), options.parallelism, (instance) =>
    destroy(acting, instance),
  );
  await runGroups(createGroups(acting), options.parallelism, (instance) => createOrUpdate(acting, instance));
  if (decided.plan.mode !== "refresh-only") storeOutputs(acting);
  said(acting, await store.close());
  return acting.counter.outcome(outputValues(store.state.outputs));
}

interface Acting extends ActOptions {
  readonly values: PhaseValues;
  readonly world: World;
  readonly isolation: Isolation;
  readonly counter: OutcomeCounter;
  /** Resources whose `for_each` had values that were not known while planning: as it is now. */
  readonly expansions: Map<string, Expansion>;
  /** For each resource that loses instances the resources whose instances go before. */
  readonly destroyedBefore: Map<string, readonly string[]>;
}

function begin(options: ActOptions): Acting {
  const { loaded, decided } = options;
  const values = new PhaseValues();
  for (const [address, expansion] of decided.expansions) {
    values.declare(address, expansion, loaded.resources.get(address)!.type.objectType);
  }
  for (const { resource, key, decision, planned, marks } of decided.others) {
    if (decision.action === "none") values.set(resource, key, markPaths(planned, marks));
  }
  const counter = new OutcomeCounter();
  const problems = new Problems();
  const functions = functionsFor(loaded.configuration.directory, {
    planTime: loaded.planTime,
    now: new Date(),
  });
  const world = createWorld({ ...loaded.surroundings, functions, fixed: new Map() }, values, (problem) => {
    if (problems.report(problem)) said(acting, [problem]);
  });
  const acting: Acting = {
    ...options,
    values,
    world,
    counter,
    isolation: new Isolation([...decided.deletes, ...decided.others]),
    expansions: new Map(),
    destroyedBefore: new Map(),
  };
  return acting;
}

/** What reads found out, before anything is done. */
function storeRefreshed({ decided, store }: Acting): void {
  for (const [address, instances] of decided.refreshed) {
    for (const { key, type, object, stored, changed, marks, private: secret } of instances.values()) {
      if (!changed) continue;
      if (isNull(object)) {
        store.remove(address, key);
        continue;
      }
      const instance = storedInstance({
        ...stored,
        type: type.objectType,
        schemaVersion: type.schema.version,
        object: markPaths(object, marks),
        private: secret,
      });
      store.put(type.name, nameOf(address, type.name), instance);
    }
  }
}

const nameOf = (address: string, type: string): string => address.slice(type.length + 1);

function destroyGroups(
  acting: Acting,
  instances: readonly PlannedInstance[],
): readonly TaskGroup<PlannedInstance>[] {
  const byResource = groupByResource(instances);
  const before = destroyDependencies(byResource, acting.loaded);
  for (const [resource, dependents] of before) acting.destroyedBefore.set(resource, dependents);
  return [...before].map(([name, after]) => ({ name, after, tasks: byResource.get(name)! }));
}

function createGroups({ loaded, decided }: Acting): readonly TaskGroup<PlannedInstance>[] {
  const changing = decided.others.filter(({ decision }) => decision.action !== "none");
  const byResource = groupByResource(changing);
  return [...loaded.resources].map(([name, { after }]) => ({
    name,
    after,
    tasks: byResource.get(name) ?? [],
  }));
}

async function destroy(acting: Acting, instance: PlannedInstance): Promise<void> {
  const { provider, store, isolation } = acting;
  const { resource, key, type, existing, plannedPrivate, decision, subject } = instance;
  if (heldBack(acting, instance, acting.destroyedBefore.get(resource) ?? [])) return;
  const ended = started(acting, instance, "delete");
  const nothing = nullValue(type.objectType);
  const response = await provider.applyResource({
    type: type.name,
    prior: existing!.object,
    planned: nothing,
    config: nothing,
    plannedPrivate: decision.action === "delete" ? plannedPrivate : existing!.private,
  });
  if (isNull(response.state)) store.remove(resource, key);
  else record(acting, instance, response, existing!.marks, existing!.stored.tainted);
  // Whoever changes the host next must find that the handler is still to run, whatever happens in between.
  if (subject.role === "handler") await store.durable();
  if (hasErrors(response.diagnostics)) {
    isolation.failed(instance, `${subject.address} could not be destroyed`);
    ended("apply_errored");
    failed(acting, instance, response.diagnostics);
    return;
  }
  said(acting, about(instance, response.diagnostics));
  ended("apply_complete");
  if (decision.action === "delete") acting.counter.count("deleted");
}

async function createOrUpdate(acting: Acting, instance: PlannedInstance): Promise<void> {
  const { loaded, decision, existing, resource, key, type } = instance;
  if (heldBack(acting, instance, loaded!.allAfter)) return;
  const updates = decision.action === "update";
  const ended = started(acting, instance, updates ? "update" : "create");
  const final = await finalPlan(instance, currentSelf(acting, instance), acting.world, acting.provider);
  if (final.kind === "failed") {
    ended("apply_errored");
    failed(acting, instance, final.diagnostics);
    return;
  }
  const { plan } = final;
  if (plan.nothingLeft) {
    acting.values.set(resource, key, markPaths(existing!.object, plan.marks));
    ended("apply_complete");
    return;
  }
  const response = await acting.provider.applyResource({
    type: type.name,
    prior: updates ? existing!.object : nullValue(type.objectType),
    planned: plan.planned,
    config: plan.config,
    plannedPrivate: plan.plannedPrivate,
  });
  const problems = [...final.diagnostics, ...response.diagnostics, ...misbehaviour(instance, response)];
  const hasFailed = hasErrors(problems);
  const isThere = !isNull(response.state) && isWhollyKnown(response.state);
  if (isThere) record(acting, instance, response, plan.marks, hasFailed && !updates);
  else if (updates && isNull(response.state)) acting.store.remove(resource, key);
  if (hasFailed) {
    ended("apply_errored");
    failed(acting, instance, problems);
    return;
  }
  acting.values.set(resource, key, markPaths(response.state, plan.marks));
  said(acting, about(instance, problems));
  acting.counter.count(updates ? "updated" : decision.action === "replace" ? "replaced" : "created");
  ended("apply_complete");
}

/** What a provider must never return (R2, R3). */
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
    const { forEach, count } = loaded!.resource;
    const expanded = expand(forEach, count, acting.world.scope({}));
    expansion = expanded.expansion ?? acting.decided.expansions.get(resource)!;
    acting.expansions.set(resource, expansion);
  }
  return expansion.kind === "each" && expansion.entries.has(key as string) ? selfOf(expansion, key) : self;
}

/** Puts an instance into the state as the provider left it. */
function record(
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
    object: markPaths(response.state, marks),
    private: response.private,
    dependencies: loaded?.allAfter ?? existing?.stored.dependencies ?? [],
  });
  store.put(type.name, nameOf(resource, type.name), instance);
}

/** Whether the instance must not be begun: it is then said why. */
function heldBack(acting: Acting, instance: PlannedInstance, after: Iterable<string>): boolean {
  const { signal, store, isolation, events, counter } = acting;
  // Of a replacement whose first half was not done: that has been said.
  if (isolation.isOut(instance)) return true;
  const stopped = signal?.aborted
    ? "the run was stopped"
    : store.problem === undefined
      ? undefined
      : "the state cannot be saved";
  const because = stopped ?? isolation.holdsBack(instance, after);
  if (because === undefined) return false;
  isolation.failed(instance, because);
  counter.notDone(instance);
  events({ kind: "apply_skipped", subject: instance.subject, because, at: now() });
  return true;
}

type AppliedAction = Extract<Event, { kind: "apply_start" }>["action"];

/** Says that work on an instance begins. @returns says that it ended */
function started({ events }: Acting, { subject }: PlannedInstance, action: AppliedAction) {
  const at = now();
  events({ kind: "apply_start", subject, action, at });
  return (kind: "apply_complete" | "apply_errored"): void => {
    const end = now();
    events({ kind, subject, action, at: end, elapsed: end - at });
  };
}

function failed(acting: Acting, instance: PlannedInstance, diagnostics: readonly Diagnostic[]): void {
  const all = about(instance, diagnostics);
  const first = all.find(({ severity }) => severity === "error");
  const reason = first?.summary ?? "failed";
  acting.isolation.failed(instance, `${instance.subject.address} failed`);
  acting.counter.failed(instance, reason);
  said(acting, all);
}

function said(
  { events, counter }: Pick<Acting, "events" | "counter">,
  diagnostics: readonly Diagnostic[],
): void {
  for (const diagnostic of diagnostics) events({ kind: "diagnostic", diagnostic, at: now() });
  counter.said(diagnostics);
}

const about = (
  { subject: { address, host } }: PlannedInstance,
  diagnostics: readonly Diagnostic[],
): readonly Diagnostic[] =>
  diagnostics.map((diagnostic) => ({ address, ...(host === undefined ? {} : { host }), ...diagnostic }));

/** Outputs as they are now; one that refers to something which failed keeps what it was. */
function storeOutputs(acting: Acting): void {
  const { decided, loaded, store, world } = acting;
  const problems = new Problems();
  const values: ReadonlyMap<string, Value> =
    decided.plan.mode === "destroy" ? new Map() : evaluateOutputs(world, loaded, problems);
  said(acting, problems.all);
  const before = store.state.outputs;
  const after = new Map<string, StateOutput>();
  for (const [name, value] of values) {
    const sensitive = loaded.configuration.outputs.get(name)?.sensitive ?? false;
    const output = storedOutput(value, sensitive) ?? before.get(name);
    if (output !== undefined) after.set(name, output);
  }
  if (!sameOutputs(before, after)) store.setOutputs(after);
}

function sameOutputs(a: ReadonlyMap<string, StateOutput>, b: ReadonlyMap<string, StateOutput>): boolean {
  return (
    a.size === b.size && [...a].every(([name, output]) => b.has(name) && sameOutput(output, b.get(name)!))
  );
}

function sameOutput(a: StateOutput, b: StateOutput): boolean {
  const [left, right] = [outputValue(a), outputValue(b)];
  return a.sensitive === b.sensitive && left !== undefined && right !== undefined && valuesEqual(left, right);
}
