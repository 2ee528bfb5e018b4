/**
 * @module A run as it is handed out: one with a plan that is applied as a whole, and one that ended before there was any.
 */
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { Event, Plan, Run } from "../../engine/index.ts";
import { keptEvents } from "../plan/kept.ts";
import type { EngineSession } from "../program/session.ts";
import { applyOutcome } from "./apply-outcome.ts";
import { engineApply } from "./plan-run.ts";
import type { ExternalRunOptions } from "./run-options.ts";

/** @param file of the engine's plan */
export function appliedOnce(
  session: EngineSession,
  options: ExternalRunOptions,
  file: string,
  plan: Plan,
): Run {
  return {
    plan,
    diagnostics: plan.diagnostics,
    async apply() {
      const seen: Event[] = [];
      const events = keptEvents(plan, session.attached.log, (event) => {
        seen.push(event);
        options.events(event);
      });
      session.attached.beginApply();
      return applyOutcome(plan, seen, await engineApply(session.engine, file, options, events));
    },
    close: () => session.close().then(() => []),
  };
}

/** There is nothing to apply. */
export async function endedRun(
  diagnostics: readonly Diagnostic[],
  session?: Pick<EngineSession, "close">,
): Promise<Run> {
  await session?.close();
  return {
    plan: undefined,
    diagnostics,
    apply: () => Promise.reject(new Error("there is no plan")),
    close: async () => [],
  };
}

/** Closes the session when the work ends in a defect: otherwise who has the run closes it. */
export async function closingOnFailure(
  session: Pick<EngineSession, "close">,
  work: () => Promise<Run>,
): Promise<Run> {
  try {
    return await work();
  } catch (error) {
    await session.close();
    throw error;
  }
}
