/**
 * @module How the hosts are logged in to on which something stored is read or deleted: as the embedded engine does it, by
 * what is configured now. Another engine gives the provider only what is stored, which may be out of date: a host
 * that was installed anew has another key.
 */

import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import {
  configuredLogins,
  emptyStateFile,
  followCounts,
  followMoves,
  type Loaded,
  leftBehind,
  loginPlace,
  movedFrom,
  movesOf,
  Problems,
  State,
  sharedValues,
  subjectOf,
} from "../../engine/index.ts";
import { type InstanceKey, instanceAddress, resourceAddress, resourceNameOf } from "../../values/address.ts";
import { valuesEqual } from "../../values/equal.ts";
import { at } from "../../values/path.ts";
import type { Value } from "../../values/value.ts";
import { getPath } from "../../values/walk.ts";
import type { StoredForRead } from "./stored-for-reads.ts";

/** Where something is stored. */
export interface StoredAddress {
  /** Address of its resource. */
  readonly resource: string;
  readonly key: InstanceKey;
}

export interface StoredLogin {
  /** The configured `ssh` block, without marks. */
  readonly login: Value;
  /** The warning that the host has another address than the object was made at. */
  readonly moved?: Diagnostic;
}

/**
 * @param object what is stored there, without marks
 * @returns undefined where the stored login is the one to log in with
 */
export type StoredLogins = (address: StoredAddress, object: Value) => StoredLogin | undefined;

/** @param ends whether everything is to be destroyed: it is looked for where it was made then */
export function storedLogins(loaded: Loaded, ends: boolean): StoredLogins {
  const logins = configuredLogins(loaded);
  const share = sharedValues();
  return ({ resource, key }, object) => {
    const subject = subjectOf(loaded.resources.get(resource)?.resource, resource, key);
    const configured = logins.of(resource, key) ?? logins.besides(subject, object);
    const own = getPath(object, at("ssh"));
    if (configured === undefined || (own !== undefined && valuesEqual(configured, own))) return undefined;
    const from = movedFrom(object, configured);
    if (ends && from !== undefined) return undefined;
    const login = share(loginPlace(subject.host), configured);
    const moved = leftBehind({ subject, login, movedFrom: from });
    return moved === undefined ? { login } : { login, moved };
  };
}

/** By where instances are stored: where they are once `moved` blocks were followed, as the engine does it before it reads. */
export function addressesNow(
  stored: readonly StoredForRead[],
  loaded: Loaded,
): (address: StoredAddress) => StoredAddress {
  const state = new State(emptyStateFile);
  for (const { resource, key, type, name, ...one } of stored)
    state.put(
      type,
      name,
      { ...one, key, tainted: false, dependencies: [], createBeforeDestroy: false },
      resourceNameOf(resource).module,
    );
  const blocks = movesOf(loaded.configuration);
  // What is wrong with the blocks is the engine's to say.
  const { moves } = followCounts(followMoves(state, blocks, new Problems()), loaded);
  const now = new Map(
    [...moves.values()].map(({ from, to }) => [
      instanceAddress(from.resource, from.key),
      { resource: resourceAddress(to), key: to.key },
    ]),
  );
  return (address) => now.get(instanceAddress(address.resource, address.key)) ?? address;
}

/** The logins of stored instances, once it is known which there are. */
export type ReadLogins = (
  stored: readonly StoredForRead[],
) => (one: StoredForRead, object: Value) => StoredLogin | undefined;

export const readLogins =
  (loaded: Loaded, ends: boolean): ReadLogins =>
  (stored) => {
    const logins = storedLogins(loaded, ends);
    const now = addressesNow(stored, loaded);
    return (one, object) => logins(now(one), object);
  };
