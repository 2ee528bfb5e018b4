/**
 * @module A line of the journal as data.
 */

import type { InstanceKey, ResourceName } from "../../../values/address.ts";
import type { StateInstance, StateOutput } from "../state.ts";

export type JournalEntry =
  | (ResourceName & { readonly kind: "put" | "begin"; readonly instance: StateInstance })
  | {
      readonly kind: "remove" | "settle" | "update";
      readonly resource: string;
      readonly key: InstanceKey;
      /** Of what is removed: which old object of the instance. Absent: the instance itself. */
      readonly deposed?: string;
    }
  | { readonly kind: "outputs"; readonly outputs: ReadonlyMap<string, StateOutput> };
