/**
 * @module Instances that cannot all have what they want: whatever is done for one is undone for another, in each run.
 */
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { Holder } from "./holder.ts";
import { throughPlannedLinks } from "./planned-links.ts";
import { purgeConflicts } from "./purged-paths.ts";
import { conflicts } from "./same-object.ts";
import { claimsOf, contentConflicts, placeConflicts } from "./shared-paths.ts";

export function contradictions(configured: readonly Holder[]): readonly Diagnostic[] {
  const instances = throughPlannedLinks(configured);
  const claims = instances.flatMap(claimsOf);
  return [
    ...conflicts(instances),
    ...placeConflicts(claims),
    ...contentConflicts(claims),
    ...purgeConflicts(claims),
  ];
}
