/**
 * @module A run by OpenTofu or Terraform with our provider attached, in the form of the embedded engine's: who shows
 * plans and asks for approval need not know which of them it is.
 */
import { type Diagnostic, errorDiagnostic, hasErrors } from "../diagnostics/diagnostic.ts";
import { unknownReplacements } from "../engine/decide/replacements.ts";
import type { SelectionNames } from "../engine/decide/selection.ts";
import type { Event, EventSink } from "../engine/event.ts";
import type { VariableInput } from "../engine/load/variable-input.ts";
import type { Plan } from "../engine/plan.ts";
import type { Run } from "../engine/run.ts";
import { isNull } from "../values/value.ts";
import { applyOutcome } from "./apply-outcome.ts";
import { nothing } from "./decision.ts";
import type { Streamed } from "./engine.ts";
import { takeInJournal } from "./external-state.ts";
import { keptEvents } from "./kept.ts";
import { type KnownConfiguration, knownConfiguration } from "./known-configuration.ts";
import {
  engineApply,
  enginePlan,
  type PlanFacts,
  planFrom,
  planJsonOf,
  type RunSettings,
} from "./plan-run.ts";
import { refreshOutputs } from "./prepare.ts";
import { createProviderLog } from "./provider-log.ts";
import { type Stage, stagesOf } from "./rollout.ts";
import { readEnginePlan, saveEnginePlan } from "./saved-run.ts";
import { type EngineSession, openSession, type SessionOptions } from "./session.ts";
import { keepingShared } from "./shared.ts";
import { applyInStages } from "./staged-apply.ts";
import { subjectsOf } from "./subjects.ts";
import { beyondTargets, isSelective, type Targets, targetsOf } from "./targets.ts";

export interface ExternalRunOptions extends SessionOptions, RunSettings, SelectionNames {
  readonly configuration: SessionOptions["configuration"];
  readonly statePath: SessionOptions["statePath"];
  /** Values of variables, for what is evaluated here: how circuits go through their hosts. Lowest precedence first. */
  readonly inputs: readonly VariableInput[];
  readonly mode: Plan["mode"];
  readonly refresh: boolean;
  /** Addresses of instances to be replaced whatever they are like. */
  readonly replace?: readonly string[];
  readonly events: EventSink;
}

/**
 * Plans: refreshes the compiled files, attaches the provider, and has the engine plan. Never rejects for what is wrong
 * with the engine, the configuration, the state or a host: that is in the diagnostics.
 */
export async function startExternalRun(options: ExternalRunOptions): Promise<Run> {
  const { configuration, refresh, statePath = "terraform.tfstate", lockTimeout } = options;
  const prepare = async (): Promise<readonly Diagnostic[]> => [
    ...(await refreshOutputs(configuration)),
    ...(await takeInJournal(statePath, lockTimeout)),
  ];
  const { session, problems } = await openSession(options, { prepare, reads: refresh });
  if (session === undefined) return endedRun(problems);
  return closingOnFailure(session, () => plannedRun(session, options));
}

/** The run of a plan that {@link Run.save} or the engine itself wrote to a file: it is applied as it was made. */
export async function startSavedRun(options: ExternalRunOptions, path: string): Promise<Run> {
  const { facts, problem } = await readEnginePlan(path);
  if (problem !== undefined) return endedRun([problem]);
  const log = createProviderLog(facts?.log);
  const { session, problems } = await openSession(options, { reads: false, log });
  if (session === undefined) return endedRun(problems);
  return closingOnFailure(session, async () => {
    const json = await planJsonOf(session.engine, path).catch((error: Error) => error);
    if (json instanceof Error) return endedRun([unreadable(path, json)], session);
    const known: PlanFacts = facts ?? { mode: "normal", isPartial: false, refresh: true, diagnostics: [] };
    const { loaded } = knownConfiguration(options.configuration, options.inputs);
    return appliedOnce(session, options, path, planFrom(json, known, session, loaded));
  });
}

async function plannedRun(session: EngineSession, options: ExternalRunOptions): Promise<Run> {
  const { configuration, inputs, mode, refresh, replace = [] } = options;
  const { engine } = session;
  const known = knownConfiguration(configuration, inputs);
  const chosen = await chosenTargets(session, known, options);
  if (hasErrors(chosen.problems)) return endedRun(chosen.problems, session);
  const { targets } = chosen.chosen ?? {};
  const file = session.file("plan");
  const streamed = await enginePlan(
    engine,
    file,
    { mode, refresh, replace, targets },
    options,
    options.events,
  );
  if (streamed.status !== 0) return endedRun(streamed.diagnostics, session);
  const { diagnostics } = streamed;
  const facts: PlanFacts = { mode, refresh, isPartial: targets !== undefined, diagnostics };
  const made = planFrom(await planJsonOf(engine, file), facts, session, known.loaded);
  const beyond = chosen.chosen === undefined ? [] : beyondTargets(made, options, chosen.chosen);
  if (hasErrors(beyond)) return endedRun([...diagnostics, ...beyond], session);
  const plan = keepingShared(
    { ...made, changes: [...made.changes, ...leftOut(made, chosen.everything)] },
    session.attached.log,
  );
  const stored = plan.changes.filter(({ before }) => !isNull(before)).map(({ address }) => address);
  const missing = unknownReplacements(replace, stored);
  if (hasErrors(missing)) return endedRun([...diagnostics, ...missing], session);
  const { stages, problems } = stagesOf(plan, {
    configured: known.loaded,
    scope: known.scope,
  });
  if (hasErrors(problems)) return endedRun([...diagnostics, ...problems], session);
  const save: Run["save"] = async (path) =>
    stages.length > 1
      ? [noFileForRollout]
      : saveEnginePlan(file, path, { ...facts, log: session.attached.log.texts() });
  const run = appliedOnce(session, options, file, plan);
  return {
    ...run,
    save,
    ...(stages.length > 1 ? { apply: () => staged(session, options, plan, stages) } : {}),
  };
}

interface Chosen {
  /** Undefined: everything. */
  readonly chosen?: Targets;
  /** The plan of everything, without a look at any host. */
  readonly everything?: Plan;
  readonly problems: readonly Diagnostic[];
}

/** Which part the run is about. What there is to choose from only the engine knows, so that it plans twice. */
async function chosenTargets(
  session: EngineSession,
  { loaded }: KnownConfiguration,
  options: ExternalRunOptions,
): Promise<Chosen> {
  if (!isSelective(options)) return { problems: [] };
  const { attached, engine, file } = session;
  const { configuration } = options;
  const mode: Plan["mode"] = options.mode === "destroy" ? "destroy" : "normal";
  const wanted = { mode, refresh: false, replace: [], targets: undefined };
  const path = file("everything");
  const streamed = await attached.withoutHosts(() =>
    enginePlan(engine, path, wanted, options, () => undefined),
  );
  if (streamed.status !== 0) return { problems: streamed.diagnostics };
  const json = await planJsonOf(engine, path);
  const subjects = subjectsOf(configuration);
  const chosen = targetsOf(options, json, { configured: loaded, subjects, mode: options.mode });
  const facts = { mode, refresh: false, isPartial: false, diagnostics: [] };
  return { chosen, everything: planFrom(json, facts, session, loaded), problems: chosen.problems };
}

/** What is stored and was not chosen: it stays. */
function leftOut({ changes, mode }: Plan, everything: Plan | undefined): Plan["changes"] {
  if (everything === undefined || mode !== "normal") return [];
  const planned = new Set(changes.map(({ address }) => address));
  return everything.changes
    .filter(({ address, before }) => !planned.has(address) && !isNull(before))
    .map(({ movedFrom: _, ...change }) => ({ ...change, decision: nothing, after: change.before }));
}

function appliedOnce(session: EngineSession, options: ExternalRunOptions, file: string, plan: Plan): Run {
  return {
    plan,
    diagnostics: plan.diagnostics,
    async apply() {
      const seen: Event[] = [];
      const events = keptEvents(plan, session.attached.log, (event) => {
        seen.push(event);
        options.events(event);
      });
      return applyOutcome(plan, seen, await engineApply(session.engine, file, options, events));
    },
    close: session.close,
  };
}

function staged(
  { attached, engine, file }: EngineSession,
  options: ExternalRunOptions,
  plan: Plan,
  stages: readonly Stage[],
) {
  const { configuration, events, inputs, mode, refresh, replace = [], signal } = options;
  const { loaded } = knownConfiguration(configuration, inputs);
  const path = file("batch");
  return applyInStages({
    plan,
    stages,
    events,
    signal,
    async planStage(targets, sink) {
      const looks = refresh && targets !== undefined;
      const replaced = replace.filter((address) => targets?.includes(address));
      const wanted = { mode, refresh: looks, replace: replaced, targets };
      const streamed = await enginePlan(engine, path, wanted, options, withoutReads(sink));
      if (streamed.status !== 0) return { plan: undefined, streamed };
      const facts = { mode, refresh: looks, isPartial: true, diagnostics: streamed.diagnostics };
      const json = await planJsonOf(engine, path);
      return {
        plan: planFrom(json, facts, { engine, attached, file, close: noClose }, loaded),
        streamed,
      };
    },
    applyStage: (own, sink): Promise<Streamed> =>
      engineApply(engine, path, options, keptEvents(own, attached.log, sink)),
  });
}

const noClose = async (): Promise<void> => undefined;

const withoutReads =
  (events: EventSink): EventSink =>
  (event) => {
    if (event.kind !== "refresh_start" && event.kind !== "refresh_complete") events(event);
  };

async function closingOnFailure(session: EngineSession, work: () => Promise<Run>): Promise<Run> {
  try {
    return await work();
  } catch (error) {
    await session.close();
    throw error;
  }
}

/** There is nothing to apply. */
async function endedRun(diagnostics: readonly Diagnostic[], session?: EngineSession): Promise<Run> {
  await session?.close();
  return {
    plan: undefined,
    diagnostics,
    apply: () => Promise.reject(new Error("there is no plan")),
    close: async () => undefined,
  };
}

const noFileForRollout = errorDiagnostic(
  "A rollout cannot be saved",
  "Under this engine each batch of hosts is planned by itself, when its turn comes. Apply without a plan file.",
);

const unreadable = (path: string, { message }: Error): Diagnostic =>
  errorDiagnostic(`${path} is no plan to apply`, message);
