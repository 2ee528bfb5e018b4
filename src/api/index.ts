/**
 * @module `conn3x`: compile, plan and apply as functions, for programs. What is exported here follows semantic versioning.
 *
 * @example
 * import { openPlan } from "conn3x";
 *
 * const run = await openPlan({ events: (event) => console.log(event.kind) });
 * if (run.plan !== undefined && planHasChanges(run.plan)) await run.apply();
 * await run.close();
 */

export { type Compiled, type CompileOptions, compile } from "./compile.ts";
export { openPlan, type OpenPlan, type PlanOptions } from "./open-plan.ts";
export type { Diagnostic, Severity } from "../diagnostics/diagnostic.ts";
export type { SourceRange } from "../diagnostics/source.ts";
export {
  type ApplyOutcome,
  type Event,
  type EventSubject,
  type FailedInstance,
  isComplete,
  type Plan,
  type PlannedChange,
  planHasChanges,
} from "../engine/index.ts";
export type { Decision, Reason } from "../revision/decision.ts";
export { version } from "../core/index.ts";
