/**
 * @module Instances whose making or changing was begun and has not ended: what a killed run was about. Those that were
 * being made are in no state, and what they stand for may be on its host; of those that were being changed the state has
 * what they were before.
 */

import { type InstanceKey, type ResourceName, resourceAddress } from "../../values/address.ts";
import type { JournalEntry } from "./journal/journal-entry.ts";
import type { StateInstance, StateResource } from "./state.ts";

export class Begun {
  readonly #resources = new Map<
    string,
    ResourceName & { readonly instances: Map<InstanceKey, StateInstance> }
  >();

  /** Instances that were being changed, by address. */
  readonly #updates = new Map<string, Set<InstanceKey>>();

  /** Those that were being made, by address. Each instance as it was to be: what was not known yet is null in it, and it counts as tainted. */
  get resources(): ReadonlyMap<string, StateResource> {
    return this.#resources;
  }

  get isEmpty(): boolean {
    return this.#resources.size === 0 && this.#updates.size === 0;
  }

  has(resource: string, key: InstanceKey): boolean {
    return this.#resources.get(resource)?.instances.has(key) ?? false;
  }

  begin(type: string, name: string, instance: StateInstance, module = ""): void {
    const address = resourceAddress({ module, type, name });
    const resource = this.#resources.get(address) ?? { module, type, name, instances: new Map() };
    resource.instances.set(instance.key, instance);
    this.#resources.set(address, resource);
  }

  beginUpdate(resource: string, key: InstanceKey): void {
    this.#updates.set(resource, (this.#updates.get(resource) ?? new Set()).add(key));
  }

  isUpdating(resource: string, key: InstanceKey): boolean {
    return this.#updates.get(resource)?.has(key) ?? false;
  }

  /** Instances that were being changed. */
  *updates(): Iterable<{ readonly resource: string; readonly key: InstanceKey }> {
    for (const [resource, keys] of this.#updates) for (const key of keys) yield { resource, key };
  }

  end(resource: string, key: InstanceKey): void {
    const updates = this.#updates.get(resource);
    updates?.delete(key);
    if (updates?.size === 0) this.#updates.delete(resource);
    const found = this.#resources.get(resource);
    found?.instances.delete(key);
    if (found?.instances.size === 0) this.#resources.delete(resource);
  }

  /** Follows what a journal says. */
  note(entry: JournalEntry): void {
    if (entry.kind === "begin") this.begin(entry.type, entry.name, entry.instance, entry.module);
    else if (entry.kind === "update") this.beginUpdate(entry.resource, entry.key);
    else if (entry.kind === "put") {
      // An old object says nothing of the one that replaces it.
      if (entry.instance.deposed === undefined) this.end(resourceAddress(entry), entry.instance.key);
    } else if ("resource" in entry && entry.deposed === undefined) this.end(entry.resource, entry.key);
  }
}
