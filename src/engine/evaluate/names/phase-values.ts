/**
 * @module What is known of resources in one phase: while planning their planned objects, while applying what is there.
 */
import type { InstanceKey } from "../../../values/address.ts";
import type { Type } from "../../../values/type.ts";
import { dynamicType } from "../../../values/type.ts";
import { objectValue, tupleValue, unknownValue, type Value } from "../../../values/value.ts";
import { type Expansion, keysOf } from "../resources/expansion.ts";
import type { ResourceValues } from "../resources/resource-values.ts";

interface Known {
  readonly expansion: Expansion;
  readonly keys: ReadonlySet<InstanceKey>;
  /** Stands in for an instance that has no value yet. */
  readonly pending: Value;
  readonly instances: Map<InstanceKey, Value>;
  /** Made when somebody asks for all instances at once. */
  whole: Value | undefined;
  /** By `HOST/`. Made when somebody asks for those of a host. */
  parts: ReadonlyMap<string, Value> | undefined;
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
      parts: undefined,
    });
  }

  set(address: string, key: InstanceKey, value: Value): void {
    const known = this.#resources.get(address)!;
    known.instances.set(key, value);
    known.whole = undefined;
    known.parts = undefined;
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

  hostPart(address: string, prefix: string): Value {
    const known = this.#resources.get(address);
    if (known?.expansion.kind !== "each" || prefix.indexOf("/") !== prefix.length - 1)
      return this.whole(address);
    known.parts ??= partsOf(known);
    return known.parts.get(prefix) ?? objectValue({});
  }
}

function wholeOf({ expansion, keys, instances, pending }: Known): Value {
  const values = [...keys].map((key) => [key, instances.get(key) ?? pending] as const);
  if (expansion.kind === "single") return values[0]![1];
  if (expansion.kind === "count") return tupleValue(values.map(([, value]) => value));
  return objectValue(new Map(values.map(([key, value]) => [String(key), value])));
}

function partsOf({ keys, instances, pending }: Known): ReadonlyMap<string, Value> {
  const parts = new Map<string, Map<string, Value>>();
  for (const key of keys) {
    const text = String(key);
    const prefix = text.slice(0, text.indexOf("/") + 1);
    const part = parts.get(prefix) ?? new Map<string, Value>();
    parts.set(prefix, part.set(text, instances.get(key) ?? pending));
  }
  return new Map([...parts].map(([prefix, part]) => [prefix, objectValue(part)]));
}
