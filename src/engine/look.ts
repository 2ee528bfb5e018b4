/**
 * @module What the hosts have now against what was last applied there. Writes nothing at all: no lock, no state, no
 * journal.
 */
import type { Configuration } from "../compiler/model.ts";
import { decodePrivate, lastApplied } from "../core/private-data.ts";
import type { Provider } from "../core/provider.ts";
import { ownershipOf } from "../revision/ownership.ts";
import type { Value } from "../values/value.ts";
import { configuredLogins } from "./decide/logins.ts";
import { type Refreshed, type RefreshedInstances, refresh } from "./decide/refresh.ts";
import { refreshOnlyPlan } from "./decide/refresh-only.ts";
import type { EventSink } from "./event.ts";
import { functionsFor } from "./load/functions.ts";
import { type Loaded, load } from "./load/load.ts";
import { Problems } from "./load/problems.ts";
import { configureProvider } from "./load/provider-config.ts";
import type { VariableInput } from "./load/variable-input.ts";
import type { Plan } from "./plan.ts";
import { peekState } from "./state/peek.ts";
import type { StateLocation } from "./state/place.ts";
import { State } from "./state/state.ts";

export interface LookOptions {
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
  const logins = configuredLogins(loaded);
  const refreshed = await refresh(
    { loaded, provider, resources: state.resources, reads: () => true, logins, events },
    problems,
  );
  if (problems.failed) return ended();
  return { plan: driftPlan(refreshed, loaded, problems.all), diagnostics: problems.all };
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
