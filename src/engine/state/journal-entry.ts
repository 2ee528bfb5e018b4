/**
 * @module What a line of the journal says, as data.
 */
import type { InstanceKey } from "../plan.ts";
import type { StateInstance, StateOutput } from "./state.ts";

export type JournalEntry =
  | {
      readonly kind: "put" | "begin";
      readonly type: string;
      readonly name: string;
      readonly instance: StateInstance;
    }
  | { readonly kind: "remove" | "settle" | "update"; readonly resource: string; readonly key: InstanceKey }
  | { readonly kind: "outputs"; readonly outputs: ReadonlyMap<string, StateOutput> };
