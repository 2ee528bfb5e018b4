/**
 * @module Compares the hosts with the last apply. Writes nothing: no lock, no state, no
 * journal.
 */

import type { Configuration } from "../compiler/index.ts";
import { decodePrivate, lastApplied, type Provider } from "../core/index.ts";
import { ownershipOf } from "../revision/ownership.ts";
import type { InstanceKey } from "../values/address.ts";
import type { Value } from "../values/value.ts";
import { configuredLogins } from "./decide/logins.ts";
import { type Selection, type SelectionNames, selectionOf } from "./decide/selection.ts";
import { type Refreshed, type RefreshedInstances, refresh } from "./decide/stored/refresh.ts";
import { refreshOnlyPlan } from "./decide/stored/refresh-only.ts";
import { type Loaded, load } from "./evaluate/load.ts";
import { functionsFor } from "./evaluate/names/functions.ts";
import { createWorld } from "./evaluate/names/world.ts";
import { Problems } from "./evaluate/problems.ts";
import { type Expansion, expandResource, keysOf } from "./evaluate/resources/expansion.ts";
import { configureProvider } from "./evaluate/resources/provider-config.ts";
import { nothingKnown } from "./evaluate/resources/resource-values.ts";
import { subjectOf } from "./evaluate/resources/subject.ts";
import type { VariableInput } from "./evaluate/variables/variable-input.ts";
import type { EventSink } from "./event.ts";
import type { Plan } from "./plan.ts";
import { peekState } from "./state/peek.ts";
import { State, type StateResource } from "./state/state.ts";
import type { StateLocation } from "./state/state-backend.ts";

/** With names: only at what is named, and what that depends on. */
export interface LookOptions extends SelectionNames {
  readonly configuration: Configuration;
  readonly provider: Provider;
  /** Lowest precedence first. */
  readonly variables: readonly VariableInput[];
  readonly statePath: StateLocation;
  readonly events: EventSink;
}

/** @returns a plan of mode `refresh-only`, whose changes hold drift; undefined when there were errors */
export async function look(
  options: LookOptions,
): Promise<{ readonly plan: Plan | undefined; readonly diagnostics: Plan["diagnostics"] }> {
  const { configuration, provider, variables, events } = options;
  const problems = new Problems();
  const ended = () => ({ plan: undefined, diagnostics: problems.all });
  const planTime = new Date();
  const functions = functionsFor(configuration.directory, { planTime });
  const loaded = load({ configuration, schema: provider.schema, variables, functions, planTime }, problems);
  if (!problems.failed) configureProvider(configuration, loaded.surroundings, provider, problems);
  const { file, problem } = await peekState(options.statePath);
  if (problem !== undefined) problems.report(problem);
  if (problems.failed || file === undefined) return ended();
  const state = new State(file);
  const selection = selectionOf(options, loaded, state, "refresh-only");
  const chosen = chosenFrom(state.resources, loaded, selection);
  problems.reportAll(selection.unknownNames());
  if (problems.failed) return ended();
  const logins = configuredLogins(loaded);
  const refreshed = await refresh(
    { loaded, provider, resources: chosen, reads: () => true, logins, events },
    problems,
  );
  if (problems.failed) return ended();
  return { plan: driftPlan(refreshed, loaded, problems.all), diagnostics: problems.all };
}

/** What of what is stored is looked at. Names may be of what is only configured yet: there is nothing to see of that. */
function chosenFrom(
  stored: State["resources"],
  loaded: Loaded,
  selection: Selection,
): ReadonlyMap<string, StateResource> {
  if (!selection.isPartial) return stored;
  const includes = (address: string, key: InstanceKey, expansion?: Expansion): boolean =>
    selection.includes(address, subjectOf(loaded.resources.get(address)?.resource, address, key, expansion));
  const world = createWorld({ ...loaded.surroundings, fixed: new Map() }, nothingKnown, () => undefined);
  for (const [address, { resource, module }] of loaded.resources) {
    const { expansion } = expandResource(resource, world.scope({}, undefined, module));
    for (const key of expansion === undefined ? [undefined] : keysOf(expansion))
      includes(address, key, expansion);
  }
  return new Map(
    [...stored].map(([address, resource]) => [
      address,
      { ...resource, instances: new Map([...resource.instances].filter(([key]) => includes(address, key))) },
    ]),
  );
}

/** What the reads found, as a plan of mode `refresh-only` whose changes hold what differs from the last apply. */
export function driftPlan(
  refreshed: RefreshedInstances,
  loaded: Loaded,
  diagnostics: Plan["diagnostics"],
): Plan {
  const plan = refreshOnlyPlan(sinceLastApply(refreshed), loaded, diagnostics);
  return { ...plan, changes: plan.changes.map(withoutTheirs) };
}

/** What an earlier read stored is drift as well, until it is put back. */
const sinceLastApply = (refreshed: RefreshedInstances): RefreshedInstances =>
  new Map(
    [...refreshed].map(([address, instances]) => [
      address,
      new Map([...instances].map(([key, instance]) => [key, { ...instance, before: asApplied(instance) }])),
    ]),
  );

function asApplied({ before, stored, type }: Refreshed): Value {
  return lastApplied(before, decodePrivate(type.schema, stored.private));
}

/** What was left to somebody else cannot drift. */
function withoutTheirs(change: Plan["changes"][number]): Plan["changes"][number] {
  const fields = change.before.data;
  if (!(fields instanceof Map)) return change;
  const { ignore } = ownershipOf(fields as ReadonlyMap<string, Value>);
  if (ignore.size === 0) return change;
  const drift = change.decision.drift.filter(({ path: [step] }) => {
    return step === undefined || !("attribute" in step) || !ignore.has(step.attribute);
  });
  return { ...change, decision: { ...change.decision, drift } };
}
