/**
 * @module Carries out a plan (X7): first deletions, dependents first, then what is created and updated, in
 * order, last the ends of objects that were replaced. Everything completed is stored at once.
 */
import { defect } from "../../diagnostics/defect.ts";
import { resourceAddress, resourceNameOf } from "../../values/address.ts";
import { valuesEqual } from "../../values/equal.ts";
import { isNull, unknownValue, type Value } from "../../values/value.ts";
import type { ApplyOutcome } from "../apply-outcome.ts";
import { makeChecks, metConditions } from "../decide/checks/checks.ts";
import { configuredConditions } from "../decide/checks/configured-checks.ts";
import { conditionResult } from "../decide/checks/instance-conditions.ts";
import { outputConditions } from "../decide/checks/output-conditions.ts";
import type { Decided } from "../decide/decided.ts";
import { evaluateOutputs } from "../decide/outputs.ts";
import { markedObject } from "../decide/planned-instance.ts";
import { destroyDependencies, groupByResource } from "../decide/stored/destroy-order.ts";
import { functionsFor } from "../evaluate/names/functions.ts";
import { PhaseValues } from "../evaluate/names/phase-values.ts";
import { createWorld } from "../evaluate/names/world.ts";
import { Problems } from "../evaluate/problems.ts";
import {
  type CheckResult,
  type ConfiguredCheck,
  checkResultsText,
  configuredChecks,
} from "../state/check-results.ts";
import type { StateOutput } from "../state/state.ts";
import { outputValue, outputValues, storedOutput } from "../state/stored-object.ts";
import { type Acting, type ActOptions, about, fail, said, stopped } from "./acting.ts";
import { batchName, inBatches } from "./batches.ts";
import { destroyInstance, retireOld } from "./destroy-instance.ts";
import { Isolation } from "./isolation.ts";
import { makeInstance } from "./make-instance.ts";
import { OutcomeCounter } from "./outcome.ts";
import { preflight } from "./preflight.ts";
import { openBatch } from "./rollout.ts";
import { runGroups } from "./schedule.ts";
import { storedRefreshed } from "./stored-refreshed.ts";
import { endingFirst, type Work } from "./work.ts";
import { workOrder } from "./work-order.ts";

/** Never rejects for what goes wrong on hosts or with the state: that is in the outcome. */
export async function act(options: ActOptions): Promise<ApplyOutcome> {
  const { decided, store, provider, signal } = options;
  // What runs on hosts goes on to its end; what is only waited for does not.
  signal?.addEventListener("abort", () => provider.stop(), { once: true });
  const acting = begin(options);
  storeRefreshed(acting);
  await closeChangedHosts(acting, batchName(undefined, 0));
  const work = workOrder({ ...decided, loaded: options.loaded });
  await runGroups(work, options.parallelism, (task) => carryOut(acting, task));
  const { mode, isPartial = false } = decided.plan;
  if (mode === "normal" || (mode === "destroy" && !isPartial)) storeOutputs(acting);
  storeChecks(acting);
  said(acting, await store.close());
  return acting.counter.outcome(outputValues(store.state.outputs));
}

function begin(options: ActOptions): Acting {
  const { loaded, decided } = options;
  const values = new PhaseValues();
  for (const [address, expansion] of decided.expansions) {
    values.declare(address, expansion, loaded.resources.get(address)!.type.objectType);
  }
  for (const { resource, key, type, decision, planned, marks } of decided.others) {
    if (decision.action === "none") values.set(resource, key, markedObject(type, planned, marks));
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
    isolation: new Isolation([...decided.deletes, ...decided.others], stopAll(decided)),
    expansions: new Map(),
    destroyedBefore: destroyDependencies(groupByResource(endingFirst({ ...decided, loaded })), loaded),
    replaced: new Map(),
    batches: inBatches([...decided.deletes, ...decided.others], decided.fleets),
  };
  return acting;
}

/** Circuits that a failure on one host stops. */
const stopAll = ({ fleets }: Decided): ReadonlySet<string> =>
  new Set([...fleets.values()].filter(({ onFailure }) => onFailure === "stop").map(({ circuit }) => circuit));

const carryOutOn = { end: destroyInstance, make: makeInstance, retire: retireOld };

/** A defect in one instance's work must not keep what others did from being stored. */
async function carryOut(acting: Acting, work: Work): Promise<void> {
  if (work.does === "open") {
    if (!(await openBatch(acting, work.fleet, work.batch))) return;
    return closeChangedHosts(acting, batchName(work.fleet.circuit, work.batch));
  }
  const { instance, does } = work;
  try {
    await carryOutOn[does](acting, instance);
  } catch (error) {
    fail(acting, instance, [defect(error)]);
  }
}

/**
 * Hosts that are not as the plan saw them are left alone (P5). They are looked at before anything is written there: those
 * of a later batch when its turn has come.
 */
async function closeChangedHosts(acting: Acting, batch: string): Promise<void> {
  const meant = acting.batches.get(batch) ?? [];
  if (stopped(acting) !== undefined) return;
  const surprises = await preflight(meant, acting.provider);
  // Nothing is begun any more, and a connection that was closed for that is no failure.
  if (stopped(acting) !== undefined) return;
  for (const { instance, diagnostics } of surprises) {
    fail(acting, instance, diagnostics);
    acting.isolation.closed(instance, `${instance.subject.address} changed on the host since the plan`);
  }
}

/** What reads found out, before anything is done. */
function storeRefreshed({ decided, loaded, store, counter }: Acting): void {
  for (const { from, to } of decided.moves.values()) {
    const unsettled = store.begun.isUpdating(from.resource, from.key);
    for (const object of store.state.objects(from.resource, from.key)) {
      store.remove(from.resource, from.key, object.deposed);
      store.put(to.type, to.name, { ...object, key: to.key }, to.module);
    }
    if (unsettled) store.beginUpdate(resourceAddress(to), to.key);
  }
  for (const [address, instances] of decided.begun) {
    for (const { key, object } of instances.values()) if (isNull(object)) store.settle(address, key);
  }
  for (const { resource, key, object, stored } of decided.deposed)
    if (isNull(object)) store.remove(resource, key, stored.deposed);
  for (const [address, instances] of decided.refreshed) {
    for (const refreshed of instances.values()) {
      const { key, type, object, changed, importing } = refreshed;
      if (!changed) continue;
      if (importing !== undefined) counter.count("imported");
      if (isNull(object)) {
        store.remove(address, key);
        continue;
      }
      const unsettled = store.begun.isUpdating(address, key);
      const { module, name } = resourceNameOf(address);
      store.put(type.name, name, storedRefreshed(refreshed, loaded), module);
      // Only acting on it settles it.
      if (unsettled) store.beginUpdate(address, key);
    }
  }
}

/** Outputs as they are now; one that refers to something which failed keeps what it was. */
function storeOutputs(acting: Acting): void {
  const { decided, loaded, store, world } = acting;
  const problems = new Problems();
  const unmet = decided.plan.mode === "destroy" ? [] : unmetOutputs(acting, problems);
  const values: ReadonlyMap<string, Value> =
    decided.plan.mode === "destroy" ? new Map() : evaluateOutputs(world, loaded, problems);
  said(acting, problems.all);
  const before = store.state.outputs;
  const after = new Map<string, StateOutput>();
  for (const [name, value] of values) {
    if (unmet.includes(name)) {
      if (before.has(name)) after.set(name, before.get(name)!);
      continue;
    }
    const sensitive = loaded.configuration.outputs.get(name)?.sensitive ?? false;
    const output = storedOutput(value, sensitive) ?? before.get(name);
    if (output !== undefined) after.set(name, output);
  }
  if (!sameOutputs(before, after)) store.setOutputs(after);
}

/** Names of those whose preconditions do not hold: they keep what they were. */
function unmetOutputs({ world, loaded }: Acting, problems: Problems): readonly string[] {
  return outputConditions(world, loaded).flatMap(({ output, diagnostics }) => {
    problems.reportAll(diagnostics);
    return diagnostics.length > 0 && output !== undefined ? [output] : [];
  });
}

/** Keeps what came of checks and conditions: of everything as it is now where something was done about that. */
function storeChecks(acting: Acting): void {
  const { decided, store } = acting;
  const checks = decided.plan.mode === "normal" ? checksNow(acting) : (decided.plan.checks ?? []);
  const text = checkResultsText(checks);
  if (!sameJson(text, store.state.checkResults)) store.setCheckResults(text);
}

function checksNow(acting: Acting): readonly ConfiguredCheck[] {
  const { world, loaded, decided } = acting;
  const isWhole = decided.plan.isPartial !== true;
  const made = isWhole ? makeChecks(world, loaded) : [];
  said(
    acting,
    made.flatMap(({ diagnostics }) => diagnostics),
  );
  const kept = [
    ...made,
    ...metConditions(world, loaded),
    ...(isWhole ? outputConditions(world, loaded) : []),
    ...instanceConditions(acting),
  ];
  return configuredChecks(kept, configuredConditions(loaded), isWhole ? "pass" : "unknown");
}

/** Those of what this run had nothing to do about may be about something that it changed. */
function instanceConditions(acting: Acting): readonly CheckResult[] {
  const { decided, world, values } = acting;
  return decided.others.flatMap((instance) => {
    const { loaded, self, resource, key, subject, type, decision } = instance;
    if (loaded === undefined || instance.conditions === undefined) return [];
    const object = values.instance(resource, key) ?? unknownValue(type.objectType);
    const result = conditionResult(loaded, self, { address: subject.address, object }, world);
    if (result === undefined) return [];
    if (decision.action === "none") said(acting, about(instance, result.diagnostics));
    return [result];
  });
}

/** A state that was read has another layout. */
const sameJson = (a: string, b: string): boolean =>
  a === b || JSON.stringify(JSON.parse(a)) === JSON.stringify(JSON.parse(b));

function sameOutputs(a: ReadonlyMap<string, StateOutput>, b: ReadonlyMap<string, StateOutput>): boolean {
  return (
    a.size === b.size && [...a].every(([name, output]) => b.has(name) && sameOutput(output, b.get(name)!))
  );
}

function sameOutput(a: StateOutput, b: StateOutput): boolean {
  const [left, right] = [outputValue(a), outputValue(b)];
  return a.sensitive === b.sensitive && left !== undefined && right !== undefined && valuesEqual(left, right);
}
