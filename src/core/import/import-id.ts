/**
 * @module Import ids: the object and the host that it is on. `ssh://USER@ADDRESS:PORT/IDENTITY`, or a host of a
 * circuit, `CIRCUIT/HOST:IDENTITY`.
 */
import type { PlainObject } from "../../values/plain.ts";

export interface ImportTarget {
  /** Settings of an `ssh` block. */
  readonly ssh: PlainObject;
  /** The part from the slash on, taken as it is: blanks and colons are not escaped. */
  readonly identity: string;
}

/** A host as circuits name it. */
export interface CircuitHost {
  /** With the module that it is in, or without. */
  readonly circuit: string;
  readonly host: string;
}

/** @returns undefined for an id without an address */
export function addressedTarget(id: string): ImportTarget | undefined {
  const match = /^ssh:\/\/(?:([^@/]+)@)?(?:\[([^\]]+)\]|([^:/[\]]+))(?::(\d+))?(\/.+)$/.exec(id);
  if (match === null) return undefined;
  const [, user, literal, name, port, identity] = match;
  return {
    identity: identity!,
    ssh: {
      address: literal ?? name!,
      ...(user === undefined ? {} : { user }),
      ...(port === undefined ? {} : { port: Number(port) }),
      bastion: [],
    },
  };
}

/** @returns undefined for an id that does not name a host of a circuit */
export function namedTarget(id: string): (CircuitHost & Pick<ImportTarget, "identity">) | undefined {
  const match = /^([^/:]+)\/([A-Za-z0-9._-]+):(.+)$/.exec(id);
  if (match === null) return undefined;
  const [, circuit, host, identity] = match;
  return {
    circuit: circuit!,
    host: host!,
    identity: identity!.startsWith("/") ? identity! : `/${identity}`,
  };
}
