/**
 * @module What is known of resources in one phase: while planning their planned objects, while applying what is there.
 */
import type { InstanceKey } from "../../../values/address.ts";
import type { Type } from "../../../values/type.ts";
import { dynamicType } from "../../../values/type.ts";
import { objectValue, tupleValue, unknownValue, type Value } from "../../../values/value.ts";
import { type Expansion, hostKeyOf, keysOf } from "../resources/expansion.ts";
import type { ResourceValues } from "../resources/resource-values.ts";

interface Known {
  readonly expansion: Expansion;
  readonly keys: ReadonlySet<InstanceKey>;
  /** Stands in for an instance that has no value yet. */
  readonly pending: Value;
  readonly instances: Map<InstanceKey, Value>;
  /** Made when somebody asks for all instances at once. */
  whole: Value | undefined;
  /** By host, the instances there by their own keys. Made when somebody asks for those of a host. */
  onHosts: ReadonlyMap<string, Value> | undefined;
}

export class PhaseValues implements ResourceValues {
  readonly #resources = new Map<string, Known>();

  /** Says which instances a resource has. Until one is {@link set} it is unknown. */
  declare(address: string, expansion: Expansion, objectType: Type): void {
    this.#resources.set(address, {
      expansion,
      keys: new Set(keysOf(expansion)),
      pending: unknownValue(objectType),
      instances: new Map(),
      whole: undefined,
      onHosts: undefined,
    });
  }

  set(address: string, key: InstanceKey, value: Value): void {
    const known = this.#resources.get(address)!;
    known.instances.set(key, value);
    known.whole = undefined;
    known.onHosts = undefined;
  }

  shape(address: string): "single" | "count" | "each" | "unknown" {
    return this.#resources.get(address)?.expansion.kind ?? "unknown";
  }

  instance(address: string, key: InstanceKey): Value | undefined {
    const known = this.#resources.get(address);
    if (known === undefined || !known.keys.has(key)) return undefined;
    return known.instances.get(key) ?? known.pending;
  }

  whole(address: string): Value {
    const known = this.#resources.get(address);
    if (known === undefined) return unknownValue(dynamicType);
    known.whole ??= wholeOf(known);
    return known.whole;
  }

  onHost(address: string, host: string | undefined): Value {
    const known = this.#resources.get(address);
    if (known === undefined || host === undefined) return unknownValue(dynamicType);
    known.onHosts ??= byHost(known);
    return known.onHosts.get(host) ?? objectValue({});
  }

  byOwnKey(address: string): Value {
    const known = this.#resources.get(address);
    if (known === undefined) return unknownValue(dynamicType);
    return objectValue(new Map(ownKeysOf(known).map(({ own, value }) => [own, value])));
  }
}

function wholeOf({ expansion, keys, instances, pending }: Known): Value {
  const values = [...keys].map((key) => [key, instances.get(key) ?? pending] as const);
  if (expansion.kind === "single") return values[0]![1];
  if (expansion.kind === "count") return tupleValue(values.map(([, value]) => value));
  return objectValue(new Map(values.map(([key, value]) => [String(key), value])));
}

function byHost(known: Known): ReadonlyMap<string, Value> {
  const hosts = new Map<string, Map<string, Value>>();
  for (const { host, own, value } of ownKeysOf(known)) {
    const onHost = hosts.get(host) ?? new Map<string, Value>();
    hosts.set(host, onHost.set(own, value));
  }
  return new Map([...hosts].map(([host, onHost]) => [host, objectValue(onHost)]));
}

/** The instances of a step with own keys: host, own key and value. */
const ownKeysOf = ({ expansion, keys, instances, pending }: Known) =>
  [...keys].flatMap((key) => {
    const { host, own } = hostKeyOf(expansion, key) ?? {};
    return host === undefined || own === undefined
      ? []
      : [{ host, own, value: instances.get(key) ?? pending }];
  });
