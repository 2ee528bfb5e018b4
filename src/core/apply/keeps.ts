/**
 * @module Whether the object of an instance stays on its host when the instance is removed: what existed before Conn3x
 * is not ours to delete.
 */
import type { KeptBecause } from "../../revision/decision.ts";
import type { PlainObject } from "../../values/plain.ts";
import type { AnyStep } from "../read/ours.ts";
import type { PrivateData } from "../stored/private-data.ts";

/** @returns undefined when it is removed */
export function keptOnRemoval(
  kind: AnyStep,
  prior: PlainObject,
  { existedBefore }: PrivateData,
): KeptBecause | undefined {
  // A command that was run, facts that were found: there is nothing to say it of.
  if (prior.on_remove === undefined) return "no_object";
  if (prior.on_remove === "keep") return "on_remove";
  if (prior.on_remove === "delete") return undefined;
  if (kind.keepsUnlessAsked === true) return "default";
  return existedBefore === false ? undefined : "there_before";
}
