/**
 * @module A run of a plan that was written to a file: it is applied as it was made.
 */
import type { Run } from "../../engine/index.ts";
import { knownConfiguration } from "../plan/known-configuration.ts";
import { openSession } from "../program/session.ts";
import { createProviderLog } from "../provider/provider-log.ts";
import { type PlanFacts, planFrom, planJsonOf } from "./plan-run.ts";
import { appliedOnce, closingOnFailure, endedRun } from "./planned-run.ts";
import type { ExternalRunOptions } from "./run-options.ts";
import { readEnginePlan } from "./saved-run.ts";

/** @param path of a file that {@link Run.save} or the engine itself wrote */
export async function startSavedRun(options: ExternalRunOptions, path: string): Promise<Run> {
  const { facts, problem } = await readEnginePlan(path);
  if (problem !== undefined) return endedRun([problem]);
  const log = createProviderLog(facts?.log);
  const { session, problems } = await openSession(options, { reads: false, log });
  if (session === undefined) return endedRun(problems);
  return closingOnFailure(session, async () => {
    const known: PlanFacts = facts ?? { mode: "normal", isPartial: false, refresh: true, diagnostics: [] };
    const { json, problems } = await planJsonOf(session.engine, path, known.mode);
    if (problems !== undefined) {
      const summary = `${path} is no plan to apply`;
      return endedRun(
        problems.map((problem) => ({ ...problem, summary })),
        session,
      );
    }
    const { loaded } = knownConfiguration(options.configuration, options.inputs);
    return appliedOnce(session, options, path, planFrom(json, known, log, loaded));
  });
}
