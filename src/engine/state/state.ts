/**
 * @module The state that the engine keeps between runs, in OpenTofu's state format version 4.
 *
 * Objects are kept as JSON text: their schemas are the provider's, and their numbers may have more digits than
 * JavaScript's have. An instance is immutable; {@link State} holds which there are and changes in constant time.
 */
import { type InstanceKey, type ResourceName, resourceAddress } from "../../values/address.ts";

/** Version of OpenTofu whose state format this is: written into a new state. */
export const stateToolVersion = "1.12.0";

/** How a state names our provider. The same for both engines, so that each takes the other's state. */
export const storedProvider = 'provider["registry.opentofu.org/conn3x/conn3x"]';

/** A stored instance. */
export interface StateInstance {
  readonly key: InstanceKey;
  readonly tainted: boolean;
  readonly schemaVersion: number;
  /** JSON text of the object. */
  readonly attributes: string;
  /** JSON text of the array of paths (`sensitive_attributes`). */
  readonly sensitivePaths: string;
  readonly private: Uint8Array;
  /** Addresses of all resources that it came after, directly or not; sorted. */
  readonly dependencies: readonly string[];
  readonly createBeforeDestroy: boolean;
  /** Of an old object whose replacement was made before it was deleted: its key among such objects, 8 hexadecimal digits. */
  readonly deposed?: string;
}

/** What all instances of a resource share. */
export interface StateResource extends ResourceName {
  readonly instances: ReadonlyMap<InstanceKey, StateInstance>;
  /** Old objects of its instances that are still to be deleted, by their keys. Absent: none. */
  readonly deposed?: ReadonlyMap<string, StateInstance>;
}

export interface StateOutput {
  /** JSON text of the value. */
  readonly value: string;
  /** JSON text of its type. */
  readonly type: string;
  readonly sensitive: boolean;
}

/** A part of a state that is not the engine's own: kept exactly as it was found. */
export interface ForeignResource {
  /** For the order in the file. */
  readonly module: string;
  readonly mode: string;
  readonly type: string;
  readonly name: string;
  /** For messages: `module.a.null_resource.b`. */
  readonly address: string;
  readonly json: string;
}

/** Everything that a state file says. */
export interface StateFile {
  readonly toolVersion: string;
  readonly serial: number;
  /** Empty in a state that was never written. */
  readonly lineage: string;
  readonly outputs: ReadonlyMap<string, StateOutput>;
  /** By address: `conn3x_file.web__config`, `module.a["x"].conn3x_file.web__config`. */
  readonly resources: ReadonlyMap<string, StateResource>;
  readonly foreign: readonly ForeignResource[];
  /** JSON text of `check_results`. */
  readonly checkResults: string;
}

export const emptyStateFile: StateFile = {
  toolVersion: stateToolVersion,
  serial: 0,
  lineage: "",
  outputs: new Map(),
  resources: new Map(),
  foreign: [],
  checkResults: "null",
};

interface OpenResource extends StateResource {
  readonly instances: Map<InstanceKey, StateInstance>;
  readonly deposed: Map<string, StateInstance>;
}

/** The instances as they are now. */
export class State {
  readonly #base: StateFile;
  readonly #resources = new Map<string, OpenResource>();
  #outputs: ReadonlyMap<string, StateOutput>;
  #checkResults: string;

  constructor(base: StateFile) {
    this.#base = base;
    this.#outputs = base.outputs;
    this.#checkResults = base.checkResults;
    for (const [address, { module, type, name, instances, deposed }] of base.resources) {
      this.#resources.set(address, {
        module,
        type,
        name,
        instances: new Map(instances),
        deposed: new Map(deposed),
      });
    }
  }

  get resources(): ReadonlyMap<string, StateResource> {
    return this.#resources;
  }

  get outputs(): ReadonlyMap<string, StateOutput> {
    return this.#outputs;
  }

  /** JSON text. */
  get checkResults(): string {
    return this.#checkResults;
  }

  get(resource: string, key: InstanceKey): StateInstance | undefined {
    return this.#resources.get(resource)?.instances.get(key);
  }

  /** The object of an instance, and its deposed objects. */
  objects(resource: string, key: InstanceKey): readonly StateInstance[] {
    const { instances, deposed } = this.#resources.get(resource) ?? {};
    const current = instances?.get(key);
    const old = [...(deposed?.values() ?? [])].filter((object) => object.key === key);
    return current === undefined ? old : [current, ...old];
  }

  /** Puts an instance in, in place of the one with its key; an old object beside it. */
  put(type: string, name: string, instance: StateInstance, module = ""): void {
    const address = resourceAddress({ module, type, name });
    let resource = this.#resources.get(address);
    if (resource === undefined) {
      resource = { module, type, name, instances: new Map(), deposed: new Map() };
      this.#resources.set(address, resource);
    }
    if (instance.deposed === undefined) resource.instances.set(instance.key, instance);
    else resource.deposed.set(instance.deposed, instance);
  }

  /** @param deposed of an old object; else the instance itself */
  remove(address: string, key: InstanceKey, deposed?: string): void {
    const resource = this.#resources.get(address);
    if (resource === undefined) return;
    if (deposed === undefined) resource.instances.delete(key);
    else resource.deposed.delete(deposed);
    if (resource.instances.size + resource.deposed.size === 0) this.#resources.delete(address);
  }

  setOutputs(outputs: ReadonlyMap<string, StateOutput>): void {
    this.#outputs = outputs;
  }

  setCheckResults(text: string): void {
    this.#checkResults = text;
  }

  /** What a file with the present instances says. Not a copy: write it before the next change. */
  toFile(identity: { readonly serial: number; readonly lineage: string }): StateFile {
    const parts = { outputs: this.#outputs, resources: this.#resources, checkResults: this.#checkResults };
    return { ...this.#base, ...identity, ...parts };
  }
}
