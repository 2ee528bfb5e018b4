/**
 * @module An old object that stays while its replacement is made (U2): the state has it beside the instance, as
 * OpenTofu writes it, so that whoever comes after a run that was cut off in between deletes it.
 */
import { randomBytes } from "node:crypto";
import { resourceNameOf } from "../../values/address.ts";
import type { PlannedInstance } from "../decide/planned-instance.ts";
import type { Acting } from "./acting.ts";

/** @returns a key that no other old object of the resource has: 8 hexadecimal digits */
export function depose({ store }: Acting, { resource, key }: PlannedInstance): string {
  const others = store.state.resources.get(resource)!.deposed;
  let deposed: string;
  do deposed = randomBytes(4).toString("hex");
  while (others?.has(deposed));
  const { module, type, name } = resourceNameOf(resource);
  store.put(type, name, { ...store.state.get(resource, key)!, deposed }, module);
  store.remove(resource, key);
  return deposed;
}

/** Of a replacement that made nothing: the old object is the instance again. */
export function restore({ store }: Acting, { resource, key }: PlannedInstance, deposed: string): void {
  const { deposed: _, ...stored } = store.state.resources.get(resource)!.deposed!.get(deposed)!;
  const { module, type, name } = resourceNameOf(resource);
  store.put(type, name, stored, module);
  store.remove(resource, key, deposed);
}
