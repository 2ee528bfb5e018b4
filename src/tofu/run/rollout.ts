/**
 * @module Rollouts under an engine that does not know of them: one plan and one apply for each batch of hosts, with
 * every instance of the batch as a target.
 */
import { setTimeout as delay } from "node:timers/promises";
import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import {
  type ConfiguredResources,
  type Loaded,
  type ModuleInstance,
  type Plan,
  type PlannedChange,
  Problems,
  readFleet,
} from "../../engine/index.ts";
import type { Scope } from "../../eval/scope.ts";
import { groupBy } from "../../values/group-by.ts";

/** A part of a plan that is applied at once. */
export interface Stage {
  /** Undefined: what belongs to no circuit that is rolled out. */
  readonly circuit: string | undefined;
  /** From 0. */
  readonly batch: number;
  /** More failed hosts of the circuit than this end its rollout. */
  readonly maxFailures: number;
  /** Milliseconds before it begins. */
  readonly pause: number;
  readonly changes: readonly PlannedChange[];
  /** Circuits that must be done without a failure before anything of a circuit may begin. */
  readonly after: (circuit: string | undefined) => ReadonlySet<string>;
}

export interface RolloutSource {
  readonly configured: ConfiguredResources & Pick<Loaded, "circuits">;
  /** What can be evaluated in a module. */
  scope(report: (problem: Diagnostic) => void, module?: ModuleInstance): Scope;
}

/**
 * @returns the stages in their order, the rest of the plan as the last one; a single stage or none where nothing is
 *   to be rolled out in batches
 */
export function stagesOf(
  plan: Plan,
  source: RolloutSource,
): { readonly stages: readonly Stage[]; readonly problems: readonly Diagnostic[] } {
  const problems = new Problems();
  if (plan.mode !== "normal") return { stages: [], problems: [] };
  const rolled = [...source.configured.circuits.values()].flatMap(({ circuit, module }) => {
    if (circuit.rollout === undefined) return [];
    const scope = source.scope((problem) => problems.report(problem), module);
    const own = plan.changes.filter((change) => change.circuit === circuit.name && change.host !== undefined);
    const hosts = (of: readonly PlannedChange[]) => [...new Set(of.map(({ host }) => host!))];
    const changing = hosts(own.filter(isChanging));
    const fleet = readFleet(circuit, { all: hosts(own).length, changing }, scope, problems);
    return fleet.batches > 1 ? [{ circuit: circuit.name, own, fleet }] : [];
  });
  if (problems.failed || rolled.length === 0) return { stages: [], problems: problems.all };
  const before = circuitsBefore(source);
  const stages = inOrder(rolled, before).flatMap(({ circuit, own, fleet }) => {
    const batches = groupBy(own, ({ host }) => fleet.batchOf.get(host!));
    return Array.from(
      { length: fleet.batches },
      (_, batch): Stage => ({
        circuit,
        batch,
        maxFailures: fleet.maxFailures,
        pause: batch === 0 ? 0 : fleet.pause,
        changes: batches.get(batch) ?? [],
        after: before,
      }),
    );
  });
  const staged = new Set(stages.flatMap(({ changes }) => changes));
  const rest = plan.changes.filter((change) => !staged.has(change) && isChanging(change));
  const last: Stage = {
    circuit: undefined,
    batch: 0,
    maxFailures: 0,
    pause: 0,
    changes: rest,
    after: before,
  };
  return { stages: [...stages, last], problems: problems.all };
}

export const isChanging = ({ decision, movedFrom }: PlannedChange): boolean =>
  decision.action !== "none" || movedFrom !== undefined;

/** By circuit: those that some of its resources come after. */
function circuitsBefore({ configured }: RolloutSource): Stage["after"] {
  const circuitOf = (resource: string) => configured.resources.get(resource)?.resource.origin?.circuit;
  const before = new Map<string, Set<string>>();
  for (const [address, { allAfter }] of configured.resources) {
    const circuit = circuitOf(address);
    if (circuit === undefined) continue;
    const others = before.get(circuit) ?? new Set();
    before.set(circuit, others);
    for (const other of allAfter.map(circuitOf))
      if (other !== undefined && other !== circuit) others.add(other);
  }
  return (circuit) => (circuit === undefined ? undefined : before.get(circuit)) ?? new Set();
}

/** Circuits after those that they come after, else as they are configured. */
function inOrder<T extends { readonly circuit: string }>(
  all: readonly T[],
  before: Stage["after"],
): readonly T[] {
  const done = new Set<T>();
  const visit = (one: T): void => {
    if (done.has(one)) return;
    for (const other of all) if (before(one.circuit).has(other.circuit)) visit(other);
    done.add(one);
  };
  for (const one of all) visit(one);
  return [...done];
}

/** The results of the stages so far. */
export interface Progress {
  /** Hosts on which something failed, by circuit. */
  readonly failedHosts: ReadonlyMap<string | undefined, ReadonlySet<string | undefined>>;
  /** Circuits whose rollout was stopped. */
  readonly stopped: ReadonlyMap<string | undefined, string>;
}

/** Why something of a stage must not begin; undefined when it may. */
export function whyNot(
  { circuit, batch, maxFailures, after }: Stage,
  change: PlannedChange,
  { failedHosts, stopped }: Progress,
): string | undefined {
  const earlier = circuit === undefined ? undefined : stopped.get(circuit);
  if (earlier !== undefined) return earlier;
  const failed = circuit === undefined ? 0 : (failedHosts.get(circuit)?.size ?? 0);
  if (failed > maxFailures)
    return `the rollout stopped before batch ${batch + 1}: ${failed === 1 ? "1 host" : `${failed} hosts`} failed`;
  const before = [...after(change.circuit)].find((other) => failedHosts.has(other) || stopped.has(other));
  return before === undefined
    ? undefined
    : `circuit ${before}, which comes before, is not done on every host`;
}

/** Waits as long as the rollout wants, or until the signal. */
export async function pauseBefore({ pause }: Stage, signal: AbortSignal | undefined): Promise<void> {
  if (pause > 0)
    await delay(pause, undefined, { ...(signal === undefined ? {} : { signal }) }).catch(() => undefined);
}

/** That a batch's own plan would do something that was not shown, or do again what failed. */
export function deviation(batch: Plan, shown: Plan, failed: ReadonlySet<string>): Diagnostic | undefined {
  const actions = new Map(shown.changes.map(({ address, decision }) => [address, decision.action]));
  for (const { address, decision } of batch.changes) {
    if (decision.action === "none") continue;
    if (failed.has(address))
      return errorDiagnostic(
        "The rest of the rollout needs what failed",
        `${address} failed in an earlier batch, and the next one would begin by doing it again. Plan again once that is mended.`,
        { address },
      );
    if (actions.get(address) === decision.action) continue;
    return errorDiagnostic(
      "The plan is another by now",
      `${address} would be ${doing[decision.action]}, which the plan that was approved did not say: something has changed since. The hosts of this batch and the later ones stay as they are. Plan again.`,
      { address },
    );
  }
  return undefined;
}

const doing = { create: "created", update: "updated", replace: "replaced", delete: "deleted" } as const;
