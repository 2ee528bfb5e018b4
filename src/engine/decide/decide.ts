/**
 * @module Decides about everything before anything is touched (X6): reads, plans in dependency order, and puts the
 * plan together.
 */
import { contradictions } from "../../core/index.ts";
import { PhaseValues } from "../evaluate/names/phase-values.ts";
import { createWorld } from "../evaluate/names/world.ts";
import type { Problems } from "../evaluate/problems.ts";
import type { Plan } from "../plan.ts";
import { type CheckResult, configuredChecks } from "../state/check-results.ts";
import type { StateResource } from "../state/state.ts";
import { makeChecks, metConditions } from "./checks/checks.ts";
import { configuredConditions, endingConditions } from "./checks/configured-checks.ts";
import { observedChecks } from "./checks/observed-checks.ts";
import { outputConditions } from "./checks/output-conditions.ts";
import { type Decided, decided } from "./decided.ts";
import { fleetsOf } from "./fleets.ts";
import { hostWindow } from "./host-window.ts";
import { configuredLogins } from "./logins.ts";
import { namesOfOneHost } from "./objects/one-host.ts";
import { sharedValues } from "./objects/shared-values.ts";
import { evaluateNamedValues, outputsOfPart, planOutputs } from "./outputs.ts";
import { planResources } from "./plan-resources.ts";
import type { DecideOptions, Planning } from "./planning.ts";
import { unknownReplacements } from "./replacements.ts";
import { planDeletes } from "./stored/deletes.ts";
import { notConfigured } from "./stored/imports.ts";
import { type RefreshOptions, refresh, refreshDeposed } from "./stored/refresh.ts";
import { refreshOnlyPlan } from "./stored/refresh-only.ts";
import { stillConfigured } from "./stored/still-configured.ts";

/** @returns undefined when there were errors: nothing may be done then */
export async function decide(options: DecideOptions, problems: Problems): Promise<Decided | undefined> {
  const { loaded, mode, moves } = options;
  const found = await readHosts(options, problems);
  if (problems.failed) return undefined;
  if (mode === "refresh-only") {
    const results = observedChecks({ ...options, refreshed: found.refreshed }, problems);
    const seen = refreshOnlyPlan(found.refreshed, loaded, problems.all);
    const plan = withChecks(seen, results, options);
    return { ...nothingToDo, plan, moves, refreshed: found.refreshed, deposed: found.deposed };
  }
  const planning = begin(options, found, problems);
  const results = mode === "normal" ? await planConfigured(planning, problems) : endingConditions(loaded);
  problems.reportAll(options.selection.unknownNames());
  reportUnknownReplacements(planning, problems);
  if (problems.failed) return undefined;
  const deletes = await planDeletes(planning, problems);
  const staying = [...planning.planned.values()].flat();
  problems.reportAll([...contradictions(staying), ...namesOfOneHost(staying)]);
  const outputs = outputsOf(planning, problems);
  const fleets = fleetsOf(loaded, [...staying, ...deletes], planning.world, problems);
  if (problems.failed) return undefined;
  const done = decided(planning, deletes, outputs, fleets, problems);
  return { ...done, plan: withChecks(done.plan, results, options) };
}

/** With what all that is configured comes to: what was not looked at is not known, unless there is no instance of it. */
function withChecks(
  plan: Plan,
  results: readonly CheckResult[],
  { loaded, selection, mode }: DecideOptions,
): Plan {
  const isLookedAt = mode !== "destroy" && !selection.isPartial;
  const checks = configuredChecks(results, configuredConditions(loaded), isLookedAt ? "pass" : "unknown");
  return checks.length === 0 ? plan : { ...plan, checks };
}

const nothingToDo = {
  begun: new Map(),
  deletes: [],
  others: [],
  expansions: new Map(),
  fleets: new Map(),
  forgotten: new Set<string>(),
} satisfies Partial<Decided>;

/** Stored, begun and deposed instances as read from the hosts. */
type OnHosts = Pick<Planning, "refreshed" | "begun" | "deposed" | "window">;

async function readHosts(options: DecideOptions, problems: Problems): Promise<OnHosts> {
  const { loaded, provider, state, imports, events, mode, selection } = options;
  const window = hostWindow();
  const logins = configuredLogins(loaded);
  const reading = (resources: ReadonlyMap<string, StateResource>): RefreshOptions => ({
    loaded,
    provider,
    resources,
    reads: (resource, subject) => options.refresh && selection.includes(resource, subject),
    logins,
    imports,
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
  return { refreshed, begun, deposed, window };
}

function begin(options: DecideOptions, found: OnHosts, problems: Problems): Planning {
  const values = new PhaseValues();
  const world = createWorld(options.loaded.surroundings, values, (problem) => problems.report(problem));
  return {
    ...options,
    ...found,
    values,
    world,
    share: sharedValues(),
    expansions: new Map(),
    planned: new Map(),
  };
}

/**
 * Plans what the configuration has, and looks at what it says besides.
 *
 * @returns what those checks and conditions come to that the run is about
 */
async function planConfigured(planning: Planning, problems: Problems): Promise<readonly CheckResult[]> {
  const { world, loaded, selection } = planning;
  await planResources(planning, problems);
  if (!problems.failed) evaluateNamedValues(world, loaded);
  const isWhole = !problems.failed && !selection.isPartial;
  const made = isWhole ? [...makeChecks(world, loaded), ...outputConditions(world, loaded)] : [];
  problems.reportAll(made.flatMap(({ diagnostics }) => diagnostics));
  reportUnplannedImports(planning, problems);
  problems.reportAll(stillConfigured(planning));
  if (problems.failed) return [];
  const instances = [...planning.planned.values()].flat().flatMap(({ conditions }) => conditions ?? []);
  return [...made, ...metConditions(world, loaded), ...instances];
}

function outputsOf({ mode, selection, world, loaded, state }: Planning, problems: Problems): Plan["outputs"] {
  if (mode === "destroy") return selection.isPartial ? [] : planOutputs(undefined, loaded, state, problems);
  const outputs = planOutputs(world, loaded, state, problems);
  return selection.isPartial ? outputsOfPart(outputs) : outputs;
}

/** Reports imports with keys that their resources do not have. */
function reportUnplannedImports({ imports, planned }: Planning, problems: Problems): void {
  for (const target of imports.values()) {
    const instances = planned.get(target.resource);
    if (instances !== undefined && !instances.some(({ key }) => key === target.key))
      problems.report(notConfigured(target));
  }
}

/** Reports addresses of `-replace` that do not exist. */
function reportUnknownReplacements({ replace, refreshed }: Planning, problems: Problems): void {
  if (replace.size === 0) return;
  const known = [...refreshed.values()].flatMap((instances) =>
    [...instances.values()].map(({ subject }) => subject.address),
  );
  problems.reportAll(unknownReplacements(replace, known));
}
