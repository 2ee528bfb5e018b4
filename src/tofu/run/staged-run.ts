/**
 * @module A plan that is applied batch after batch: each batch is planned again, with its hosts read again.
 */
import { type ApplyOutcome, type Loaded, type Plan, withoutReads } from "../../engine/index.ts";
import { keptEvents } from "../plan/kept.ts";
import { isTargeted } from "../plan/targets.ts";
import type { EngineSession } from "../program/session.ts";
import { engineApply, enginePlan, planFrom, planJsonOf } from "./plan-run.ts";
import type { Stage } from "./rollout.ts";
import type { ExternalRunOptions } from "./run-options.ts";
import { applyInStages } from "./staged-apply.ts";

export function applyStaged(
  { attached, engine, file }: EngineSession,
  options: ExternalRunOptions,
  loaded: Loaded,
  plan: Plan,
  stages: readonly Stage[],
): Promise<ApplyOutcome> {
  const { events, mode, refresh, replace = [], signal } = options;
  const { log } = attached;
  const path = file("batch");
  return applyInStages({
    plan,
    stages,
    events,
    signal,
    async planStage(targets, sink) {
      const looks = refresh && targets !== undefined;
      const replaced = replace.filter((address) => targets !== undefined && isTargeted(address, targets));
      const wanted = { mode, refresh: looks, replace: replaced, targets };
      const streamed = await enginePlan(engine, path, wanted, options, withoutReads(sink));
      if (streamed.status !== 0) return { plan: undefined, streamed };
      const { json, problems } = await planJsonOf(engine, path, mode);
      if (problems !== undefined) {
        const diagnostics = [...streamed.diagnostics, ...problems];
        return { plan: undefined, streamed: { ...streamed, status: 1, diagnostics } };
      }
      const facts = { mode, refresh: looks, isPartial: true, diagnostics: streamed.diagnostics };
      return { plan: planFrom(json, facts, log, loaded), streamed };
    },
    applyStage: (own, sink) => engineApply(engine, path, options, keptEvents(own, log, sink)),
  });
}
