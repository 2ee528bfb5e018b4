/**
 * @module Checks and conditions in a run that only takes in what the hosts have: they are about that, and whatever comes of
 * them is a warning, since nothing is to be done that they could stop.
 */
import { isNull } from "../../../values/value.ts";
import type { LoadedResource } from "../../evaluate/load.ts";
import { PhaseValues } from "../../evaluate/names/phase-values.ts";
import { createWorld, type World } from "../../evaluate/names/world.ts";
import type { Problems } from "../../evaluate/problems.ts";
import { expandResource, keysOf, selfOf } from "../../evaluate/resources/expansion.ts";
import { subjectOf } from "../../evaluate/resources/subject.ts";
import type { CheckResult } from "../../state/check-results.ts";
import { markedObject } from "../planned-instance.ts";
import type { DecideOptions } from "../planning.ts";
import type { RefreshedInstances } from "../stored/refresh.ts";
import { makeChecks, metConditions } from "./checks.ts";
import { plannedResult, problemsIn, unmetPostconditions, unmetPreconditions } from "./instance-conditions.ts";
import { outputConditions } from "./output-conditions.ts";

type Observing = Pick<DecideOptions, "loaded" | "selection"> & { readonly refreshed: RefreshedInstances };

/** What they come to, those that the run is about. */
export function observedChecks(observing: Observing, problems: Problems): readonly CheckResult[] {
  const { loaded, selection } = observing;
  const values = new PhaseValues();
  const warn = (problem: Parameters<Problems["report"]>[0]) =>
    problems.report({ ...problem, severity: "warning" });
  const world = createWorld(loaded.surroundings, values, warn);
  const instances = [...loaded.resources.values()].flatMap((resource) =>
    observedInstances(resource, observing, values, world),
  );
  const found = [
    ...instances.flatMap((instance) => instanceResult(instance, world)),
    ...(selection.isPartial ? [] : [...makeChecks(world, loaded), ...outputConditions(world, loaded)]),
  ];
  for (const { diagnostics } of found) for (const problem of diagnostics) warn(problem);
  return [...found, ...metConditions(world, loaded)];
}

type Observed = ReturnType<typeof observedInstances>[number];

/** Lets expressions refer to what was read; those of the run, as far as it is known which there are. */
function observedInstances(
  loaded: LoadedResource,
  { refreshed, selection }: Observing,
  values: PhaseValues,
  world: World,
) {
  const { resource, type, module } = loaded;
  const { address } = resource;
  const { expansion } = expandResource(resource, world.scope({}, undefined, module));
  if (expansion === undefined) return [];
  values.declare(address, expansion, type.objectType);
  return keysOf(expansion).flatMap((key) => {
    const stored = refreshed.get(address)?.get(key);
    const isThere = stored !== undefined && !isNull(stored.object);
    const object = isThere ? markedObject(type, stored.object, stored.marks) : undefined;
    if (object !== undefined) values.set(address, key, object);
    const subject = stored?.subject ?? subjectOf(resource, address, key, expansion);
    return selection.includes(address, subject)
      ? [{ loaded, self: selfOf(expansion, key), subject, object }]
      : [];
  });
}

function instanceResult({ loaded, self, subject, object }: Observed, world: World) {
  const { address } = subject;
  const unmet = [
    ...unmetPreconditions(loaded, self, world),
    ...(object === undefined ? [] : unmetPostconditions(loaded, self, object, world)),
  ];
  const result = plannedResult(loaded, address, unmet);
  if (result === undefined) return [];
  // What is not there cannot be as it should, nor not.
  const isOpen =
    object === undefined && loaded.lifecycle.postconditions.length > 0 && result.status === "pass";
  const diagnostics = problemsIn(unmet).map((problem) => ({ address, ...problem }));
  return [{ ...result, ...(isOpen ? { status: "unknown" as const } : {}), diagnostics }];
}
