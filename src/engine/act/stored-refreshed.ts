/**
 * @module Stores the result of reading an instance.
 */
import type { Refreshed } from "../decide/stored/refresh.ts";
import type { Loaded } from "../evaluate/load.ts";
import type { StateInstance } from "../state/state.ts";
import { storedInstance } from "../state/stored-object.ts";

/** @param refreshed of an object that is there */
export const storedRefreshed = (
  { resource, type, object, stored, marks, private: secret }: Refreshed,
  { resources }: Loaded,
): StateInstance =>
  storedInstance({
    ...stored,
    type: type.objectType,
    schemaVersion: type.schema.version,
    object,
    marks,
    private: secret,
    dependencies: resources.get(resource)?.dependencies ?? stored.dependencies,
    createBeforeDestroy: resources.get(resource)?.createBeforeDestroy ?? stored.createBeforeDestroy,
  });
