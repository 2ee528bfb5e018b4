/**
 * @module Decides about everything before anything is touched (X6): reads, plans in dependency order, and puts the
 * plan together.
 */
import type { Reason } from "../../revision/decision.ts";
import { type Expansion, expand, keysOf, selfOf } from "../load/expansion.ts";
import type { Fleet } from "../load/fleet.ts";
import type { LoadedResource } from "../load/load.ts";
import { PhaseValues } from "../load/phase-values.ts";
import type { Problems } from "../load/problems.ts";
import type { Self } from "../load/self.ts";
import { type Subject, subjectOf } from "../load/subject.ts";
import { createWorld } from "../load/world.ts";
import type { InstanceKey, Plan, PlannedChange } from "../plan.ts";
import { instanceAddress, type StateResource } from "../state/state.ts";
import { makeChecks } from "./checks.ts";
import { planDeletes } from "./deletes.ts";
import { dependantsOfReplaced } from "./dependants.ts";
import { fleetsOf } from "./fleets.ts";
import { hostWindow } from "./host-window.ts";
import { notConfigured } from "./imports.ts";
import { configuredLogins } from "./logins.ts";
import type { Moves } from "./moves.ts";
import { namesOfOneHost } from "./one-host.ts";
import { evaluateNamedValues, outputsOfPart, planOutputs } from "./outputs.ts";
import { type InstanceToPlan, leftAlone, planInstance } from "./plan-instance.ts";
import { objectName, type PlannedInstance, plannedChange } from "./planned-instance.ts";
import type { DecideOptions, Planning } from "./planning.ts";
import { changingDependencies, withReasons } from "./reasons.ts";
import {
  type Refreshed,
  type RefreshedInstances,
  type RefreshOptions,
  refresh,
  refreshDeposed,
  stateChanged,
} from "./refresh.ts";
import { refreshOnlyPlan } from "./refresh-only.ts";
import { unknownReplacements } from "./replacements.ts";
import { conflicts, sharedObjects, staysOnHost } from "./shared-objects.ts";
import { triggeredReplacement } from "./triggered.ts";

export interface Decided {
  readonly plan: Plan;
  readonly refreshed: RefreshedInstances;
  readonly moves: Moves;
  /** What earlier runs began to make and did not end, as it is on the hosts. */
  readonly begun: RefreshedInstances;
  /** Old objects that earlier runs left, as they are on the hosts. */
  readonly deposed: readonly Refreshed[];
  /** Deletes, dependents first; those of old objects too. */
  readonly deletes: readonly PlannedInstance[];
  /** All that stays or comes, in dependency order; unchanged ones too. */
  readonly others: readonly PlannedInstance[];
  readonly expansions: ReadonlyMap<string, Expansion>;
  /** How circuits go through their hosts, where it is not step after step over all of them. */
  readonly fleets: ReadonlyMap<string, Fleet>;
  /** Objects, by {@link objectName}, that something else holds as well on the host: they are only forgotten. */
  readonly forgotten: ReadonlySet<string>;
}

/** @returns undefined when there were errors: nothing may be done then */
export async function decide(options: DecideOptions, problems: Problems): Promise<Decided | undefined> {
  const { loaded, provider, state, mode, events } = options;
  const logins = configuredLogins(loaded);
  const { selection } = options;
  const reads = (resource: string, subject: Subject) =>
    options.refresh && selection.includes(resource, subject);
  const window = hostWindow();
  const reading = (resources: ReadonlyMap<string, StateResource>): RefreshOptions => ({
    loaded,
    provider,
    resources,
    reads,
    logins,
    imports: options.imports,
    ends: mode === "destroy",
    events,
    window,
  });
  // In the same tick, so that what all ask of a host travels together.
  const [refreshed, begun, deposed] = await Promise.all([
    refresh(reading(state.resources), problems),
    refresh(reading(options.begun), problems),
    refreshDeposed(reading(state.resources), problems),
  ]);
  if (problems.failed) return undefined;
  if (mode === "refresh-only") {
    const plan = refreshOnlyPlan(refreshed, loaded, problems.all);
    return {
      plan,
      refreshed,
      moves: options.moves,
      begun: new Map(),
      deposed,
      deletes: [],
      others: [],
      expansions: new Map(),
      fleets: new Map(),
      forgotten: new Set(),
    };
  }
  const values = new PhaseValues();
  const world = createWorld(loaded.surroundings, values, (problem) => problems.report(problem));
  const planning = {
    ...options,
    refreshed,
    begun,
    deposed,
    window,
    values,
    world,
    expansions: new Map(),
    planned: new Map(),
  };
  if (mode === "normal") {
    await planResources(planning, problems);
    if (!problems.failed) evaluateNamedValues(world, loaded);
    if (!problems.failed && !selection.isPartial)
      problems.reportAll(makeChecks(world, loaded).flatMap(({ diagnostics }) => diagnostics));
    reportUnplannedImports(planning, problems);
  }
  problems.reportAll(selection.unknownNames());
  reportUnknownReplacements(planning, problems);
  if (problems.failed) return undefined;
  const deletes = await planDeletes(planning, problems);
  for (const conflict of conflicts([...planning.planned.values()].flat())) problems.report(conflict);
  problems.reportAll(namesOfOneHost([...planning.planned.values()].flat()));
  const outputs = outputsOf(planning, problems);
  const fleets = fleetsOf(loaded, [...[...planning.planned.values()].flat(), ...deletes], world, problems);
  if (problems.failed) return undefined;
  return decided(planning, deletes, outputs, fleets, problems);
}

function outputsOf({ mode, selection, world, loaded, state }: Planning, problems: Problems): Plan["outputs"] {
  if (mode === "destroy") return selection.isPartial ? [] : planOutputs(undefined, loaded, state, problems);
  const outputs = planOutputs(world, loaded, state, problems);
  return selection.isPartial ? outputsOfPart(outputs) : outputs;
}

function decided(
  { loaded, mode, selection, moves, refreshed, begun, deposed, expansions, planned }: Planning,
  deletes: readonly PlannedInstance[],
  outputs: Plan["outputs"],
  fleets: Decided["fleets"],
  problems: Problems,
): Decided {
  const others = withReasons([...loaded.resources.keys()].flatMap((address) => planned.get(address) ?? []));
  const ending = [...deletes, ...replacedOf(others)];
  const shared = sharedObjects(ending, others);
  for (const instance of ending) {
    const holder = shared.get(objectName(instance));
    if (holder !== undefined) problems.report(staysOnHost(instance.subject.address, holder));
  }
  const left = deletes.filter(({ decision: { keeps } }) => keeps === "host_gone" || keeps === "forgotten");
  const dependants = dependantsOfReplaced(others);
  const plan: Plan = {
    mode,
    isPartial: selection.isPartial,
    changes: [...deletes, ...others]
      .map((instance) => keptWhereShared(instance, shared))
      .map((instance) =>
        plannedChange(
          instance,
          moves.get(instance.subject.address),
          refreshed.get(instance.resource)?.get(instance.key),
        ),
      )
      .map((change) => withDependants(change, dependants)),
    outputs,
    diagnostics: problems.all,
    stateChanged: stateChanged(refreshed),
    variables: loaded.surroundings.variables,
    planTime: loaded.planTime,
  };
  const forgotten = new Set([...shared.keys(), ...left.map(objectName)]);
  return { plan, refreshed, moves, begun, deposed, deletes, others, expansions, fleets, forgotten };
}

function withDependants(
  change: PlannedChange,
  dependants: ReadonlyMap<string, readonly string[]>,
): PlannedChange {
  const addresses = change.deposed === undefined ? dependants.get(change.address) : undefined;
  return addresses === undefined ? change : { ...change, dependants: addresses };
}

/** An object that something else holds too stays on its host. */
function keptWhereShared(instance: PlannedInstance, shared: ReadonlyMap<string, string>): PlannedInstance {
  const holder = shared.get(objectName(instance));
  if (holder === undefined) return instance;
  const keeps = holder === instance.subject.address ? "same_object" : "shared";
  return { ...instance, decision: { ...instance.decision, keeps } };
}

/** Instances whose old object ends. */
const replacedOf = (instances: readonly PlannedInstance[]): readonly PlannedInstance[] =>
  instances.filter(({ decision }) => decision.action === "replace");

/** What is imported has a key that its resource does not have. */
function reportUnplannedImports({ imports, planned }: Planning, problems: Problems): void {
  for (const target of imports.values()) {
    const instances = planned.get(target.resource);
    if (instances !== undefined && !instances.some(({ key }) => key === target.key))
      problems.report(notConfigured(target));
  }
}

/** What is to be replaced must be there. */
function reportUnknownReplacements({ replace, refreshed }: Planning, problems: Problems): void {
  if (replace.size === 0) return;
  const known = [...refreshed.values()].flatMap((instances) =>
    [...instances.values()].map(({ subject }) => subject.address),
  );
  problems.reportAll(unknownReplacements(replace, known));
}

/**
 * Each resource is planned as soon as those that its expressions refer to are: what is only to be done later
 * (`depends_on`) can be decided at once, so that questions to hosts travel together.
 */
async function planResources(planning: Planning, problems: Problems): Promise<void> {
  const started = new Map<string, Promise<void>>();
  for (const [address, resource] of planning.loaded.resources) {
    const before = resource.references.map((reference) => started.get(reference));
    started.set(
      address,
      Promise.all(before).then(() => planResource(planning, resource, problems)),
    );
  }
  await Promise.all(started.values());
}

/** Also of what is stored at another address. */
function isUnsettled({ moves, isUnsettled }: Planning, resource: string, key: InstanceKey): boolean {
  const from = moves.get(instanceAddress(resource, key))?.from;
  return isUnsettled(from?.resource ?? resource, from === undefined ? key : from.key);
}

/** Why an instance is to be replaced whatever it is like. */
function replacing(
  planning: Planning,
  loaded: LoadedResource,
  key: InstanceKey,
  self: Self,
  problems: Problems,
): Reason | undefined {
  const triggered = triggeredReplacement(loaded, self, planning, (problem) => problems.report(problem));
  if (triggered !== undefined) return triggered;
  return planning.replace.has(instanceAddress(loaded.resource.address, key))
    ? { kind: "requested" }
    : undefined;
}

async function planResource(planning: Planning, loaded: LoadedResource, problems: Problems): Promise<void> {
  const { world, provider } = planning;
  const { resource, type } = loaded;
  // What it refers to could not be planned: every message about it would be a consequence.
  if (!loaded.references.every((reference) => planning.planned.has(reference))) return;
  const { expansion, diagnostics } = expand(
    resource.forEach,
    resource.count,
    world.scope({}, undefined, loaded.module),
  );
  problems.reportAll(diagnostics);
  if (expansion === undefined) return;
  planning.expansions.set(resource.address, expansion);
  planning.values.declare(resource.address, expansion, type.objectType);
  const stored = planning.refreshed.get(resource.address);
  const instances: InstanceToPlan[] = keysOf(expansion).map((key) => ({
    loaded,
    key,
    subject: stored?.get(key)?.subject ?? subjectOf(resource, resource.address, key),
    self: selfOf(expansion, key),
    dependencies: (referring) => changingDependencies(referring, planning.planned),
    refreshed: stored?.get(key),
    begun: planning.begun.get(resource.address)?.get(key),
    unsettled: isUnsettled(planning, resource.address, key),
    replacing: replacing(planning, loaded, key, selfOf(expansion, key), problems),
  }));
  const isSelected = ({ subject }: InstanceToPlan) => planning.selection.includes(resource.address, subject);
  const selected = instances.filter(isSelected);
  const planned = await Promise.all(
    selected.map((instance) =>
      planning.window.run(instance.subject.host, () => planInstance(instance, world, provider, problems)),
    ),
  );
  const left = instances.filter((instance) => !isSelected(instance)).map(leftAlone);
  const done = [...planned, ...left].filter((instance) => instance !== undefined);
  if (planned.includes(undefined)) return;
  for (const instance of done)
    planning.values.set(resource.address, instance.key, plannedChange(instance).after);
  planning.planned.set(resource.address, done);
}
