/**
 * @module Instances that cannot all have what they want: whatever is done for one is undone for another, in each run.
 */
import type { Diagnostic } from "../../../diagnostics/diagnostic.ts";
import { purgeConflicts } from "./purged-paths.ts";
import { conflicts, type Holder } from "./shared-objects.ts";
import { claimsOf, contentConflicts, placeConflicts } from "./shared-paths.ts";

export function contradictions(instances: readonly Holder[]): readonly Diagnostic[] {
  const claims = instances.flatMap(claimsOf);
  return [
    ...conflicts(instances),
    ...placeConflicts(claims),
    ...contentConflicts(claims),
    ...purgeConflicts(claims),
  ];
}
