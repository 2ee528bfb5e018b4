/**
 * @module The front of the embedded engine: what commands, other engines' runs and programs may use of it.
 *
 * A run is `startRun` → its {@link Plan} → `apply`; what happens meanwhile is an {@link Event}, in order. Everything
 * here is data or a function over data: what the engine keeps for itself has no export.
 */

// A run: plan, approval, apply; and what is shown of it.
export { type ApplyOutcome, type FailedInstance, isComplete } from "./apply-outcome.ts";
export { now } from "./clock.ts";
export type { Event, EventSink, EventSubject } from "./event.ts";
export {
  type OutputChange,
  type Plan,
  type PlannedChange,
  type PriorInstance,
  planHasChanges,
} from "./plan.ts";
export { defaultParallelism, type Run, startRun } from "./run.ts";
export { withoutReads } from "./without-reads.ts";

// What else can be asked of a configuration and its hosts.
export { type Console, openConsole } from "./console.ts";
export { type CircuitHost, circuitHosts, type HostName } from "./hosts.ts";
export { checkConfigured, importInstance, importTarget } from "./import-instance.ts";
export { driftPlan, look } from "./look.ts";
export { resourceGraph } from "./resource-graph.ts";
export { validateConfiguration, validateHosts } from "./validate.ts";

// Which part of a configuration a command is about.
export { unknownReplacements } from "./decide/replacements.ts";
export {
  type ConfiguredResources,
  type SelectionNames,
  type StoredResources,
  selectionOf,
} from "./decide/selection.ts";
export { isLeft, isOfHost, patternAdvice, patternsIn, wrongLimit } from "./decide/host-pattern.ts";

// The configuration with values: variables, modules, circuits, and the marks of what is sensitive.
export { type ForeignBlock, foreignBlocks, foreignProblems } from "./evaluate/foreign-blocks.ts";
export { readFleet } from "./evaluate/hosts/fleet.ts";
export { type Loaded, load } from "./evaluate/load.ts";
export type { ModuleInstance } from "./evaluate/modules/module-instance.ts";
export { configurationsOf } from "./evaluate/modules/module-tree.ts";
export { functionsFor } from "./evaluate/names/functions.ts";
export { createWorld } from "./evaluate/names/world.ts";
export { Problems } from "./evaluate/problems.ts";
export { nothingKnown } from "./evaluate/resources/resource-values.ts";
export { schemaMarks, sensitiveIn, withFollowing } from "../schema/sensitive-parts.ts";
export { settingRange } from "./evaluate/resources/setting-range.ts";
export { circuitNames, inAllModules, type Subject, subjectOf } from "./evaluate/resources/subject.ts";
export { readConstraint } from "./evaluate/variables/constraint.ts";
export type { VariableInput } from "./evaluate/variables/variable-input.ts";
export { constraintOf, loadVariables } from "./evaluate/variables/variables.ts";

// Decisions that a run by another engine shares with ours.
export { holdsSecrets } from "./act/secrets.ts";
export { configuredLogins, type Logins } from "./decide/logins.ts";
export { type StayingObject, staysOnHost } from "./decide/objects/stays-on-host.ts";
export { loginPlace, sharedValues } from "./decide/objects/shared-values.ts";
export { aboutGoneHost, forgetsGoneHosts, goesWithItsHost } from "./decide/stored/deletes.ts";
export { fromElsewhere, type ImportTarget, importLogin, importTargets } from "./decide/stored/imports.ts";
export { leftBehind, movedFrom } from "./decide/stored/moved-host.ts";
export { followCounts, followMoves, movesOf } from "./decide/stored/moves.ts";
export type { Refreshed } from "./decide/stored/refresh.ts";

// Saved plans.
export { type DecisionText, decisionText, textDecision } from "./saved/decision-text.ts";
export type { InputsOfPlan } from "./saved/ephemeral-inputs.ts";
export { readSavedPlan, type SavedPlan } from "./saved/saved-plan.ts";

// The state: its format, its backends, and changes without a host.
export { configuredBackend } from "./state/backend/configured-backend.ts";
export { initBackend } from "./state/backend/init-backend.ts";
export { usableBackend } from "./state/backend/usable-backend.ts";
export {
  type CheckResult,
  type ConfiguredCheck,
  checkKinds,
  checkStatuses,
  readCheckResults,
} from "./state/check-results.ts";
export { editState, pushState } from "./state/edit.ts";
export { fileBackend } from "./state/file-backend.ts";
export { escapeLikeGo, jsonString, layOut } from "./state/json-layout.ts";
export { openStore } from "./state/open-store.ts";
export { type Peeked, peekState } from "./state/peek.ts";
export type { StateBackend } from "./state/state-backend.ts";
export { readState } from "./state/read-state.ts";
export { readSensitivePaths } from "./state/sensitive-paths.ts";
export {
  emptyStateFile,
  State,
  type StateFile,
  type StateInstance,
  type StateOutput,
  stateToolVersion,
} from "./state/state.ts";
export { textIfThere } from "./state/state-file-text.ts";
export type { StateStore } from "./state/store.ts";
export { outputValue, outputValues } from "./state/stored-object.ts";
export { compareKeys, stateText } from "./state/write-state.ts";
