/**
 * @module Which instances refer to one that is replaced and change in the same plan: what is done to them comes between
 * the halves of the replacement, or after it.
 */
import { compareText } from "../../values/set-order.ts";
import type { PlannedInstance } from "./planned-instance.ts";
import { byResource, referredTo } from "./reasons.ts";

/** By the address of what is replaced: addresses of instances that are updated or replaced, in order of their addresses. */
export function dependantsOfReplaced(
  instances: readonly PlannedInstance[],
): ReadonlyMap<string, readonly string[]> {
  const replaced = instances.filter(({ decision }) => decision.action === "replace");
  const found = new Map<string, string[]>();
  if (replaced.length === 0) return found;
  const among = byResource(replaced);
  for (const instance of instances) {
    const { action } = instance.decision;
    if (action !== "update" && action !== "replace") continue;
    for (const other of referredTo(instance, among)) {
      const addresses = found.get(other.subject.address) ?? [];
      addresses.push(instance.subject.address);
      found.set(other.subject.address, addresses);
    }
  }
  for (const addresses of found.values()) addresses.sort(compareText);
  return found;
}
