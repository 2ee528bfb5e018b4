/**
 * @module The id of an instance's object in events.
 */

import { withFollowing } from "../schema/sensitive-parts.ts";
import type { MarkedPath } from "../values/marks.ts";
import { at, within } from "../values/path.ts";
import type { Value } from "../values/value.ts";
import { isEntries } from "../values/walk.ts";
import type { LoadedType } from "./evaluate/load.ts";

/** The `id` of an object; undefined where it has none, where that is not known yet, and where it gives away something. */
export function eventId(
  { schema }: Pick<LoadedType, "schema">,
  object: Value | undefined,
  marks: readonly MarkedPath[],
): string | undefined {
  const id = object !== undefined && isEntries(object.data) ? object.data.get("id")?.data : undefined;
  if (typeof id !== "string") return undefined;
  return withFollowing(schema, marks).some(({ path }) => within(at("id"), path)) ? undefined : id;
}
