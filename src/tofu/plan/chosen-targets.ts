/**
 * @module The selected part of the configuration, as the engine's targets. Which instances there are only the
 * engine knows, so that it plans everything first, without a look at any host.
 */
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { Plan, SelectionNames } from "../../engine/index.ts";
import { isNull } from "../../values/value.ts";
import type { EngineSession } from "../program/session.ts";
import { enginePlan, planFrom, planJsonOf, type RunSettings } from "../run/plan-run.ts";
import type { ExternalRunOptions } from "../run/run-options.ts";
import { nothing } from "./decision.ts";
import type { KnownConfiguration } from "./known-configuration.ts";
import { subjectsOf } from "./subjects.ts";
import { isSelective, type Targets, targetsOf } from "./targets.ts";

export interface Chosen {
  /** Undefined: everything. */
  readonly targets?: Targets;
  /** The plan of everything, where a part was chosen. */
  readonly everything?: Plan;
  readonly problems: readonly Diagnostic[];
}

/** @param lock whether the state is locked meanwhile */
export async function chosenTargets(
  { attached, engine, file }: EngineSession,
  { loaded }: KnownConfiguration,
  options: SelectionNames & RunSettings & Pick<ExternalRunOptions, "mode">,
  lock: "locked" | "unlocked" = "locked",
): Promise<Chosen> {
  if (!isSelective(options)) return { problems: [] };
  const mode: Plan["mode"] = options.mode === "destroy" ? "destroy" : "normal";
  const wanted = { mode, refresh: false, replace: [], targets: undefined };
  const path = file("everything");
  const streamed = await attached.withoutHosts(() =>
    enginePlan(engine, path, wanted, options, () => undefined, lock),
  );
  if (streamed.status !== 0) return { problems: streamed.diagnostics };
  const { json, problems } = await planJsonOf(engine, path, mode);
  if (problems !== undefined) return { problems };
  const subjects = subjectsOf(options.configuration);
  const targets = targetsOf(options, json, { configured: loaded, subjects, mode: options.mode });
  const facts = { mode, refresh: false, isPartial: false, diagnostics: [] };
  return {
    targets,
    everything: planFrom(json, facts, attached.log, loaded),
    problems: targets.problems,
  };
}

/** What is stored and was not chosen: it stays. */
export function leftOut({ changes, mode }: Plan, everything: Plan | undefined): Plan["changes"] {
  if (everything === undefined || mode !== "normal") return [];
  const planned = new Set(changes.map(({ address }) => address));
  return everything.changes
    .filter(({ address, before }) => !planned.has(address) && !isNull(before))
    .map(({ movedFrom: _, ...change }) => ({ ...change, decision: nothing, after: change.before }));
}
