/**
 * @module The data of values. `value.ts` describes the forms and has functions to make them.
 */
import type { BigFloat } from "./big-float.ts";
import type { Type } from "./type.ts";

/** What is known of an unknown value: OpenTofu's refinements, as far as they are used. */
export interface Refinement {
  readonly notNull?: boolean;
  /** A prefix of the string that the value will be. */
  readonly prefix?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
}

/** Stands for data that is only known after apply. */
export class Unknown {
  constructor(readonly refinement?: Refinement) {}
}

/** `sensitive` hides a value from everything that is shown; `ephemeral` keeps it out of state and plan. */
export type Mark = "sensitive" | "ephemeral";

export type Data =
  | null
  | Unknown
  | string
  | boolean
  | BigFloat
  | readonly Value[]
  | ReadonlyMap<string, Value>;

export interface Value {
  readonly type: Type;
  readonly data: Data;
  /** Absent when there is none. Marks belong to this node; a container's elements have their own. */
  readonly marks?: ReadonlySet<Mark>;
}
