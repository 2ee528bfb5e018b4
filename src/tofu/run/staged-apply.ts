/**
 * @module Applies a plan stage by stage, each with a plan and an apply of the engine's own.
 */
import { hasErrors } from "../../diagnostics/diagnostic.ts";
import {
  type ApplyOutcome,
  type Event,
  type EventSink,
  now,
  type Plan,
  type PlannedChange,
} from "../../engine/index.ts";
import { resourceOf } from "../plan/subjects.ts";
import { targetsFor } from "../plan/targets.ts";
import type { Streamed } from "../program/engine.ts";
import { applyOutcome } from "./apply-outcome.ts";
import { deviation, isChanging, pauseBefore, type Stage, whyNot } from "./rollout.ts";

export interface StagedApply {
  /** The plan that was shown and approved. */
  readonly plan: Plan;
  readonly stages: readonly Stage[];
  readonly events: EventSink;
  readonly signal: AbortSignal | undefined;
  /**
   * Plans a stage.
   *
   * @param targets addresses of its instances, or of resources of which it has all; undefined: everything that is left, without a look at the hosts
   */
  planStage(
    targets: readonly string[] | undefined,
    events: EventSink,
  ): Promise<{ readonly plan: Plan | undefined; readonly streamed: Streamed }>;
  /** Applies what was planned last. */
  applyStage(plan: Plan, events: EventSink): Promise<Streamed>;
}

export async function applyInStages(options: StagedApply): Promise<ApplyOutcome> {
  const { plan, stages, signal } = options;
  const seen: Event[] = [];
  const events: EventSink = (event) => {
    seen.push(event);
    options.events(event);
  };
  const failed = new Set<string>();
  const failedHosts = new Map<string | undefined, Set<string | undefined>>();
  const stopped = new Map<string | undefined, string>();
  const settled = new Set<string>();
  const results: Streamed[] = [];
  for (const stage of stages) {
    const ready: PlannedChange[] = [];
    for (const change of stage.changes) {
      const why = whyNot(stage, change, { failedHosts, stopped });
      if (why === undefined) ready.push(change);
      else if (isChanging(change)) skipped(change, why, events);
      if (why !== undefined) stopped.set(change.circuit, why);
    }
    if (stage.circuit !== undefined && ready.length === 0) continue;
    await pauseBefore(stage, signal);
    if (signal?.aborted) break;
    const begun = seen.length;
    const done = await runStage(options, { ...stage, changes: ready }, failed, events);
    results.push(...done.results);
    for (const address of done.settled) settled.add(address);
    for (const event of seen.slice(begun)) {
      if (event.kind !== "apply_errored") continue;
      failed.add(event.subject.address);
      const hosts = failedHosts.get(event.subject.circuit) ?? new Set();
      failedHosts.set(event.subject.circuit, hosts.add(event.subject.host));
    }
    // It failed, and not on a host: with the state, or with the configuration.
    if (done.failed && !seen.slice(begun).some(({ kind }) => kind === "apply_errored")) break;
  }
  return outcomeOf(plan, seen, results, settled, stopped.size > 0 || signal?.aborted === true);
}

function skipped(
  { address, host, circuit, member }: PlannedChange,
  because: string,
  events: EventSink,
): void {
  events({ kind: "apply_skipped", subject: { address, host, circuit, member }, because, at: now() });
}

interface StageResult {
  readonly results: readonly Streamed[];
  /** Addresses at which there turned out to be nothing to do. */
  readonly settled: readonly string[];
  readonly failed: boolean;
}

async function runStage(
  { plan, planStage, applyStage }: StagedApply,
  stage: Stage,
  failed: ReadonlySet<string>,
  events: EventSink,
): Promise<StageResult> {
  const addresses = new Set(stage.changes.map(({ address }) => address));
  const everything = stage.circuit === undefined && failed.size === 0 && plan.isPartial !== true;
  if (stage.circuit === undefined && !everything && addresses.size === 0)
    return { results: [], settled: [], failed: false };
  // Of a part of the configuration the plan does not have all instances of a resource.
  const targets = plan.isPartial === true ? [...addresses] : targetsFor(plan.changes.map(named), addresses);
  const { plan: own, streamed } = await planStage(everything ? undefined : targets, events);
  if (own === undefined) return { results: [streamed], settled: [], failed: true };
  const problem = deviation(own, plan, failed);
  if (problem !== undefined) {
    events({ kind: "diagnostic", diagnostic: problem, at: now() });
    const refused = { ...streamed, status: 1, diagnostics: [...streamed.diagnostics, problem] };
    return { results: [refused], settled: [], failed: true };
  }
  const applied = await applyStage(own, events);
  const settled = own.changes.filter(({ decision }) => decision.action === "none");
  return {
    results: [streamed, applied],
    settled: settled.map(({ address }) => address),
    failed: applied.status !== 0 || hasErrors(applied.diagnostics),
  };
}

const named = (change: PlannedChange) => ({ resource: resourceOf(change), address: change.address });

/** One outcome for all stages. */
function outcomeOf(
  plan: Plan,
  seen: readonly Event[],
  results: readonly Streamed[],
  settled: ReadonlySet<string>,
  stopped: boolean,
): ApplyOutcome {
  const last = results.at(-1);
  const outcome = applyOutcome(plan, seen, {
    status: stopped ? 1 : (results.find(({ status }) => status !== 0)?.status ?? 0),
    diagnostics: results.flatMap(({ diagnostics }) => diagnostics),
    outputs: last?.outputs ?? {},
  });
  return { ...outcome, notDone: outcome.notDone.filter((address) => !settled.has(address)) };
}
