/**
 * @module The key of an instance that a reference names: of a resource or of a module.
 */
import type { InstanceKey } from "../../../values/address.ts";
import type { PathStep } from "../../../values/path.ts";

/** The key that a step after a name means, where it is one that the instances can have. */
export function instanceKey(shape: "count" | "each", step: PathStep | undefined): InstanceKey {
  if (step === undefined) return undefined;
  if (shape === "count") return "index" in step ? step.index : undefined;
  if ("index" in step) return String(step.index);
  return "key" in step ? step.key : step.attribute;
}
