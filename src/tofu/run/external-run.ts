/**
 * @module A run by OpenTofu or Terraform with our provider attached, in the form of the embedded engine's: who shows
 * plans and asks for approval need not know which of them it is.
 */

import { type Configuration, noEffectWithEngines } from "../../compiler/index.ts";
import { type Diagnostic, errorDiagnostic, hasErrors } from "../../diagnostics/diagnostic.ts";
import {
  configurationsOf,
  importTargets,
  Problems,
  type Run,
  unknownReplacements,
} from "../../engine/index.ts";
import { isNull } from "../../values/value.ts";
import { chosenTargets, leftOut } from "../plan/chosen-targets.ts";
import { contradictionsIn } from "../plan/contradictions.ts";
import { type KnownConfiguration, knownWhenAsked } from "../plan/known-configuration.ts";
import { keepingShared } from "../plan/shared.ts";
import { beyondTargets } from "../plan/targets.ts";
import { preparation } from "../program/prepare.ts";
import { type EngineSession, openSession } from "../program/session.ts";
import { forgettingGone } from "../state/gone-hosts.ts";
import { type ImportSource, importSource } from "../state/import-logins.ts";
import { readLogins } from "../state/stored-logins.ts";
import { enginePlan, type PlanFacts, planFrom, planJsonOf } from "./plan-run.ts";
import { appliedOnce, closingOnFailure, endedRun } from "./planned-run.ts";
import { stagesOf } from "./rollout.ts";
import type { ExternalRunOptions } from "./run-options.ts";
import { saveEnginePlan } from "./saved-run.ts";
import { applyStaged } from "./staged-run.ts";

/**
 * Plans: refreshes the compiled files, attaches the provider, and has the engine plan. Never rejects for what is wrong
 * with the engine, the configuration, the state or a host: that is in the diagnostics.
 */
export async function startExternalRun(options: ExternalRunOptions): Promise<Run> {
  const known = knownWhenAsked(options.configuration, options.inputs);
  const imports = (): ImportSource => {
    const { loaded } = known();
    // What is wrong with import blocks is the engine's to say.
    return importSource(importTargets(loaded, new Problems(), "passed"), loaded);
  };
  const { session, problems } = await openSession(options, {
    prepare: preparation(options),
    reads: options.refresh,
    logins: (stored) => readLogins(known().loaded, options.mode === "destroy")(stored),
    imports,
  });
  if (session === undefined) return endedRun(problems);
  return closingOnFailure(session, () => plannedRun(session, options, known()));
}

async function plannedRun(
  session: EngineSession,
  options: ExternalRunOptions,
  known: KnownConfiguration,
): Promise<Run> {
  const { mode, refresh, replace = [], events } = options;
  const { engine } = session;
  const { log } = session.attached;
  const chosen = await chosenTargets(session, known, options);
  if (hasErrors(chosen.problems) || engine.isStopped()) return endedRun(chosen.problems, session);
  const targets = chosen.targets?.targets;
  const file = session.file("plan");
  const streamed = await enginePlan(engine, file, { mode, refresh, replace, targets }, options, (event) => {
    // They come with the plan, where what many hosts have in common is said once.
    if (event.kind !== "diagnostic") events(event);
  });
  const ineffective = mode === "normal" ? noEffectIn(options.configuration) : [];
  const diagnostics = [...ineffective, ...streamed.diagnostics];
  if (streamed.status !== 0) return endedRun(diagnostics, session);
  const { json, problems: unshown } = await planJsonOf(engine, file, mode);
  if (unshown !== undefined) return endedRun([...diagnostics, ...unshown], session);
  const facts: PlanFacts = { mode, refresh, isPartial: targets !== undefined, diagnostics };
  const made = planFrom(json, facts, log, known.loaded);
  const beyond = chosen.targets === undefined ? [] : beyondTargets(made, options, chosen.targets);
  if (hasErrors(beyond)) return endedRun([...diagnostics, ...beyond], session);
  const changes = [...made.changes, ...leftOut(made, chosen.everything)];
  const against = contradictionsIn(changes, log, known.loaded);
  if (hasErrors(against)) return endedRun([...diagnostics, ...against], session);
  const shared = keepingShared({ ...made, changes }, log);
  const plan = refresh ? forgettingGone(shared, known.loaded, log) : shared;
  const stored = plan.changes.filter(({ before }) => !isNull(before)).map(({ address }) => address);
  const missing = unknownReplacements(replace, stored);
  if (hasErrors(missing)) return endedRun([...diagnostics, ...missing], session);
  const { stages, problems } = stagesOf(plan, { configured: known.loaded, scope: known.scope });
  if (hasErrors(problems)) return endedRun([...diagnostics, ...problems], session);
  const run = appliedOnce(session, options, file, plan);
  return stages.length > 1
    ? {
        ...run,
        save: async () => [noFileForRollout],
        apply: () => applyStaged(session, options, known.loaded, plan, stages),
      }
    : { ...run, save: (path) => saveEnginePlan(file, path, { ...facts, log: log.texts() }) };
}

const noEffectIn = (configuration: Configuration): readonly Diagnostic[] =>
  [...configurationsOf(configuration)].flatMap((one) => noEffectWithEngines(one.configuration));

const noFileForRollout = errorDiagnostic(
  "A rollout cannot be saved",
  "Under this engine each batch of hosts is planned by itself, when its turn comes. Apply without a plan file.",
);
