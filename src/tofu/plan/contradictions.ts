/**
 * @module Instances of an engine's plan that would undo each other's work: other engines know nothing of objects on hosts.
 */
import { contradictions, type Holder, providerSchema } from "../../core/index.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { Loaded, PlannedChange } from "../../engine/index.ts";
import { unmarkDeep } from "../../values/marks.ts";
import { isNull } from "../../values/value.ts";
import type { ProviderLog } from "../provider/provider-log.ts";
import { resourceOf } from "./subjects.ts";

/** One error for each object or path. */
export const contradictionsIn = (
  changes: readonly PlannedChange[],
  log: ProviderLog,
  loaded: Pick<Loaded, "resources">,
): readonly Diagnostic[] => contradictions(changes.flatMap((change) => holderOf(change, log, loaded)));

function holderOf(
  change: PlannedChange,
  log: ProviderLog,
  { resources }: Pick<Loaded, "resources">,
): readonly Holder[] {
  const { type, decision, after, address } = change;
  const schema = providerSchema.resources.get(type);
  const configured = resources.get(resourceOf(change));
  if (schema === undefined || isNull(after) || configured === undefined) return [];
  const { value: planned, paths: marks } = unmarkDeep(after);
  const wants = log.wants(type, planned);
  // What the engine did not plan now is compared by its part of the plan that names it.
  if (wants === undefined) return [];
  return [
    {
      type: { name: type, schema },
      planned,
      marks,
      subject: { address },
      loaded: configured,
      decision,
      ...wants,
    },
  ];
}
