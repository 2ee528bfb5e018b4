/**
 * @module Instances whose making was begun and has not ended: what a killed run was about to make. They are in no state,
 * and what they stand for may be on its host.
 */
import type { InstanceKey } from "../plan.ts";
import type { JournalEntry } from "./journal.ts";
import type { StateInstance, StateResource } from "./state.ts";

export class Begun {
  readonly #resources = new Map<
    string,
    { readonly type: string; readonly name: string; readonly instances: Map<InstanceKey, StateInstance> }
  >();

  /** By address. Each instance as it was to be: what was not known yet is null in it, and it counts as tainted. */
  get resources(): ReadonlyMap<string, StateResource> {
    return this.#resources;
  }

  get isEmpty(): boolean {
    return this.#resources.size === 0;
  }

  has(resource: string, key: InstanceKey): boolean {
    return this.#resources.get(resource)?.instances.has(key) ?? false;
  }

  begin(type: string, name: string, instance: StateInstance): void {
    const address = `${type}.${name}`;
    const resource = this.#resources.get(address) ?? { type, name, instances: new Map() };
    resource.instances.set(instance.key, instance);
    this.#resources.set(address, resource);
  }

  end(resource: string, key: InstanceKey): void {
    const found = this.#resources.get(resource);
    found?.instances.delete(key);
    if (found?.instances.size === 0) this.#resources.delete(resource);
  }

  /** Follows what a journal says. */
  note(entry: JournalEntry): void {
    if (entry.kind === "begin") this.begin(entry.type, entry.name, entry.instance);
    else if (entry.kind === "put") this.end(`${entry.type}.${entry.name}`, entry.instance.key);
    else if ("resource" in entry) this.end(entry.resource, entry.key);
  }
}
