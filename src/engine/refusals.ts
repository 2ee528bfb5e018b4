/**
 * @module Reasons to refuse a run although the configuration is valid.
 */
import { errorDiagnostic } from "../diagnostics/diagnostic.ts";
import { workOrder } from "./act/work-order.ts";
import type { Decided } from "./decide/decided.ts";
import type { Loaded } from "./evaluate/load.ts";
import type { Problems } from "./evaluate/problems.ts";
import { dependencyOrder } from "./graph/order.ts";
import type { StateFile } from "./state/state.ts";

/** Batches of hosts, and hosts that go on by themselves, must not wait for what waits for all of them. */
export function refuseEndlessWaiting(loaded: Loaded, decided: Decided, problems: Problems): void {
  if (decided.fleets.size === 0) return;
  const groups = workOrder({ ...decided, loaded });
  const { cycle } = dependencyOrder(new Map(groups.map(({ name, after }) => [name, after])));
  if (cycle === undefined) return;
  const resources = [...new Set(cycle.map((name) => name.split(" ")[1]!))];
  problems.report(
    errorDiagnostic(
      "Hosts would wait for each other",
      `${[...decided.fleets.keys()].join(", ")} does not go step after step over all hosts (rollout, or order = "host"), and ${resources.join(", ")} need it to: something outside of the circuit comes between its steps. Remove that dependency, or the rollout or order.`,
    ),
  );
}

/** Instances of other providers would stay for ever: this engine can neither keep them up nor destroy them. */
export function refuseForeign({ foreign }: StateFile, problems: Problems): void {
  const managed = foreign.filter(({ mode }) => mode === "managed").map(({ address }) => address);
  if (managed.length === 0) return;
  problems.report(
    errorDiagnostic(
      "State holds resources that are not for the embedded engine",
      `${managed.join(", ")}: of another provider, of a provider alias, or of one that a module configured. Use -engine=tofu.`,
    ),
  );
}
