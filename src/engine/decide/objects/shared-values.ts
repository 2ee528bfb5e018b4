/**
 * @module Keeps equal values once: all instances on a host have its login, and there are thousands.
 */
import { valuesEqual } from "../../../values/equal.ts";
import type { Value } from "../../../values/value.ts";
import { isEntries } from "../../../values/walk.ts";

/**
 * Gives the value that was last met at an endpoint when the two are equal. Values have no marks here.
 *
 * @param endpoint where equal ones are likely
 */
export type Share = (endpoint: string, value: Value) => Value;

export function sharedValues(): Share {
  const met = new Map<string, Value>();
  return (endpoint, value) => {
    const last = met.get(endpoint);
    if (last !== undefined && valuesEqual(last, value)) return last;
    met.set(endpoint, value);
    return value;
  };
}

/** Where logins of a host are met. */
export const loginPlace = (host: string | undefined): string => `ssh ${host ?? ""}`;

/** The object with the shared login in place of its own. */
export function withSharedLogin(object: Value, host: string | undefined, share: Share): Value {
  const own = isEntries(object.data) ? object.data.get("ssh") : undefined;
  if (own === undefined || !isEntries(object.data)) return object;
  const shared = share(loginPlace(host), own);
  return shared === own ? object : { ...object, data: new Map(object.data).set("ssh", shared) };
}
