/**
 * @module The dependencies in a state, which names resources without the keys of modules.
 */
import { parseAddress, withoutModuleKeys } from "../../values/address.ts";

/**
 * @param addresses of the resources that there are
 * @returns finds those that a dependency of a resource means. Both are in the same instance of every module that both
 *   are in: nothing in one instance of a module can refer to another one of it.
 */
export function storedDependencies(
  addresses: Iterable<string>,
): (resource: string, dependency: string) => readonly string[] {
  const known = new Set<string>();
  const inModules = new Map<string, string[]>();
  for (const address of addresses) {
    known.add(address);
    if (!address.startsWith("module.")) continue;
    const name = withoutModuleKeys(address);
    inModules.set(name, [...(inModules.get(name) ?? []), address]);
  }
  return (resource, dependency) => {
    if (!dependency.startsWith("module.")) return known.has(dependency) ? [dependency] : [];
    return (inModules.get(dependency) ?? []).filter((address) => mayMeet(resource, address));
  };
}

/** Whether the modules that both are in are the same instances. */
function mayMeet(a: string, b: string): boolean {
  const [left, right] = [parseAddress(a)?.modules ?? [], parseAddress(b)?.modules ?? []];
  for (const [at, { name, key }] of left.entries()) {
    if (right[at]?.name !== name) return true;
    if (right[at]?.key !== key) return false;
  }
  return true;
}
