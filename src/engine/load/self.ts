/**
 * @module What `each` and `count` are for the instance that is evaluated.
 */
import type { Value } from "../../values/value.ts";

export interface Self {
  readonly each?: { readonly key: Value; readonly value: Value };
  readonly count?: number;
}
