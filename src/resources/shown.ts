/**
 * @module How plans for people show objects of a kind, beside what its schema says.
 */
import type { PlainObject } from "../values/plain.ts";

export interface ShownInPlan {
  /** Settings that the compiler makes, and that nobody writes. */
  readonly hidden?: readonly string[];
  /**
   * Settings whose change is about several things, with the computed list of their names, which is shown instead:
   * `{ recurse: "differing" }`
   */
  readonly names?: Readonly<Record<string, string>>;
  /** On what it depends whether it runs: `unless test -e /srv/done`. Empty: on nothing. */
  readonly condition?: (object: PlainObject) => string;
  /** What a removal does, where it may do nothing: `is removed if it is empty`. Undefined: it is removed. */
  readonly removal?: (object: PlainObject) => string | undefined;
}
