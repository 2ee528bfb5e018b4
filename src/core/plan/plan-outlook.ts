/**
 * @module What is seen of a host while planning a change.
 */
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { Besides, Found, Going, RealNames } from "../../resources/kind.ts";
import type { Decision } from "../../revision/decision.ts";
import type { PlainObject } from "../../values/plain.ts";
import type { Value } from "../../values/value.ts";
import type { AnyStep } from "../read/ours.ts";

export interface PlanOutlook {
  readonly diagnostics: readonly Diagnostic[];
  /** For a create: whether the object exists already. Undefined when that is unknown. */
  readonly existedBefore?: boolean;
  readonly found?: NonNullable<Decision["found"]>;
  readonly existing?: NonNullable<Decision["existing"]>;
  readonly removing?: NonNullable<Decision["removing"]>;
  /** The planned object with values that were not known before looking. */
  readonly planned?: Value;
  /** What is done besides. */
  readonly besides?: Besides;
  /** Whether the host did not answer. */
  readonly unseen?: boolean;
  /** See {@link Found}. */
  readonly realNames?: RealNames;
}

export const nothingSeen: PlanOutlook = { diagnostics: [] };

/** What the facts show of other objects. */
export function besidesIn(
  kind: AnyStep,
  found: Found<unknown>,
  object: PlainObject,
  going: Going,
): Pick<PlanOutlook, "besides"> {
  const besides = found.state === "present" ? kind.besides?.(found.facts, object, going) : undefined;
  return besides === undefined ? {} : { besides };
}
