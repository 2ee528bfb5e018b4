/**
 * @module Handlers that were planned to run because a step might have changed, where now that it is done it turns out
 * that it has not: their instance is put back and nothing is run.
 */
import type { ApplyResponse } from "../../core/index.ts";
import { hasErrors } from "../../diagnostics/diagnostic.ts";
import { valuesEqual } from "../../values/equal.ts";
import type { PlannedInstance } from "../decide/planned-instance.ts";
import type { Acting } from "./acting.ts";
import type { FinalPlan } from "./final-plan.ts";

/**
 * Asks once more about the instance that there was, now that all triggers are known. One that is replaced for another
 * reason, or whose last run failed, is never spared.
 *
 * @returns undefined when it is to run
 */
export async function spared(
  { provider }: Pick<Acting, "provider">,
  { decision, subject, existing, type }: PlannedInstance,
  { config }: FinalPlan,
): Promise<ApplyResponse | undefined> {
  // A replacement that the provider does not ask for was requested, or the last apply failed.
  if (subject.role !== "handler" || decision.action !== "replace" || decision.requiresReplace.length === 0)
    return undefined;
  const { object: prior, private: priorPrivate } = existing!;
  const { planned, requiresReplace, ...answer } = await provider.planResource({
    type: type.name,
    prior,
    config,
    priorPrivate,
  });
  if (hasErrors(answer.diagnostics) || requiresReplace.length > 0) return undefined;
  if (valuesEqual(planned, prior)) return { state: prior, private: priorPrivate, diagnostics: [] };
  return provider.applyResource({ type: type.name, prior, config, planned, plannedPrivate: answer.private });
}
