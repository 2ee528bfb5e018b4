/**
 * @module `precondition` and `postcondition` of resources. What is not known while planning is looked at again while
 * applying, and what does not hold then stops what comes after.
 */
import type { Diagnostic } from "../../../diagnostics/diagnostic.ts";
import type { Value } from "../../../values/value.ts";
import type { LoadedResource } from "../../evaluate/load.ts";
import type { Self } from "../../evaluate/names/self.ts";
import type { World } from "../../evaluate/names/world.ts";
import type { CheckResult } from "../../state/check-results.ts";
import { type ConditionWords, resultOf, type Unmet, unmet } from "./conditions.ts";

const wordsFor = (what: string): ConditionWords => ({
  failed: `${what} does not hold`,
  unclear: `${what} is no condition`,
  later: `${what} is looked at while applying`,
});

const preconditionWords = wordsFor("A precondition");
const postconditionWords = wordsFor("A postcondition");

/** Errors of failed preconditions. */
export const failedPreconditions = (
  loaded: LoadedResource,
  self: Self,
  world: World,
): readonly Diagnostic[] => problemsIn(unmetPreconditions(loaded, self, world));

/**
 * What is wrong with the instance as it is, or will be.
 *
 * @param object with marks; unknown inside where it is not known yet
 */
export const failedPostconditions = (
  loaded: LoadedResource,
  self: Self,
  object: Value,
  world: World,
): readonly Diagnostic[] => problemsIn(unmetPostconditions(loaded, self, object, world));

/** For the state; undefined for a resource without conditions. */
export function conditionResult(
  loaded: LoadedResource,
  self: Self,
  { address, object }: { readonly address: string; readonly object: Value },
  world: World,
): (CheckResult & { readonly diagnostics: readonly Diagnostic[] }) | undefined {
  const found = [
    ...unmetPreconditions(loaded, self, world),
    ...unmetPostconditions(loaded, self, object, world),
  ];
  const result = plannedResult(loaded, address, found);
  return result && { ...result, diagnostics: problemsIn(found) };
}

/** For the plan; undefined for a resource without conditions. */
export const plannedResult = (
  { lifecycle: { preconditions, postconditions } }: LoadedResource,
  address: string,
  found: readonly Unmet[],
): CheckResult | undefined =>
  preconditions.length + postconditions.length === 0 ? undefined : resultOf("resource", address, found);

export const unmetPreconditions = (
  { lifecycle, module }: LoadedResource,
  self: Self,
  world: World,
): readonly Unmet[] =>
  lifecycle.preconditions.length === 0
    ? []
    : unmet(lifecycle.preconditions, world.scope(self, [], module), preconditionWords);

export const unmetPostconditions = (
  { lifecycle, module }: LoadedResource,
  self: Self,
  object: Value,
  world: World,
): readonly Unmet[] =>
  lifecycle.postconditions.length === 0
    ? []
    : unmet(lifecycle.postconditions, world.scope({ ...self, object }, [], module), postconditionWords);

/** Errors about conditions that certainly fail. */
export const problemsIn = (found: readonly Unmet[]): readonly Diagnostic[] =>
  found.flatMap(({ status, diagnostic }) => (status === "unknown" ? [] : [diagnostic]));
