/**
 * @module Objects that this process has written on hosts: an instance does not delete what another one has written.
 */

import type { RealNames } from "../../resources/kind.ts";
import type { Plain, PlainObject } from "../../values/plain.ts";
import { realId } from "../objects/same-object.ts";
import { createKnownNames, type KnownNames } from "../read/known-names.ts";
import type { AnyStep } from "../read/ours.ts";

export interface RunObjects {
  /** An instance's object was written: it has this revision now. */
  wrote(host: string, kind: AnyStep, object: PlainObject): void;
  /** Whether the object is on its host as another instance, or another object of the same one, has written it. */
  isWrittenByAnother(host: string, kind: AnyStep, object: PlainObject): boolean;
  /** The object was removed. */
  left(host: string, kind: AnyStep, object: PlainObject): void;
}

/** @param names what hosts call the objects otherwise */
export function createRunObjects(names: KnownNames = createKnownNames()): RunObjects {
  /** The last written revision by object. */
  const written = new Map<string, Plain>();
  return {
    wrote(host, kind, object) {
      const name = nameOf(host, kind, object, names.of(host));
      if (name !== undefined) written.set(name, object.revision ?? null);
    },
    isWrittenByAnother(host, kind, object) {
      const name = nameOf(host, kind, object, names.of(host));
      return name !== undefined && written.has(name) && written.get(name) !== object.revision;
    },
    left(host, kind, object) {
      const name = nameOf(host, kind, object, names.of(host));
      if (name !== undefined) written.delete(name);
    },
  };
}

/** Undefined for what is no object on a host, as commands are. */
function nameOf(host: string, kind: AnyStep, object: PlainObject, names: RealNames): string | undefined {
  const isObject = Object.values(kind.schema.attributes).some(({ identity }) => identity);
  if (!isObject) return undefined;
  const id = typeof object.id === "string" ? object.id : kind.id.of(object);
  return `${host} ${kind.type} ${JSON.stringify(realId(id, names))}`;
}
