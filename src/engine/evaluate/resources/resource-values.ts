/**
 * @module The values of resources for expressions, and which of them an evaluation used.
 */
import type { InstanceKey } from "../../../values/address.ts";
import { dynamicType } from "../../../values/type.ts";
import { unknownValue, type Value } from "../../../values/value.ts";

/** Something that an evaluation looked at. */
export interface Access {
  /** Address of the resource. */
  readonly resource: string;
  /** All of its instances, or the one with a key. */
  readonly of: "all" | "one";
  readonly key: InstanceKey;
  /** Of `all`: only those on this host. */
  readonly host?: string;
}

/** Values of resources in one phase. */
export interface ResourceValues {
  /** By what its instances are distinguished; `unknown` when nothing is known of it yet. */
  shape(address: string): "single" | "count" | "each" | "unknown";
  /** Undefined when there is no such instance. */
  instance(address: string, key: InstanceKey): Value | undefined;
  /** The object, tuple or single object of all instances. */
  whole(address: string): Value;
  /** The object of a step's instances on a host, by their own keys. @param host undefined for one that is not known yet */
  onHost(address: string, host: string | undefined): Value;
  /** The object of all instances of a step by their own keys: for one that is on one host only. */
  byOwnKey(address: string): Value;
}

/** While nothing is known of any resource. */
export const nothingKnown: ResourceValues = {
  shape: () => "unknown",
  instance: () => undefined,
  whole: () => unknownValue(dynamicType),
  onHost: () => unknownValue(dynamicType),
  byOwnKey: () => unknownValue(dynamicType),
};
