/**
 * @module Tells the sessions which values no log may show: those at sensitive places of the objects in requests.
 */
import type { BlockSchema } from "../../schema/schema.ts";
import type { Path } from "../../values/path.ts";
import { textsOf } from "../../values/texts.ts";
import type { Value } from "../../values/value.ts";
import { getPath, isElements, isEntries } from "../../values/walk.ts";
import type { Context } from "../context.ts";

/** @param paths sensitive places in addition to those of the schema */
export function concealPaths(
  { sessions: { conceal } }: Pick<Context, "sessions">,
  schema: BlockSchema,
  object: Value,
  paths: readonly Path[] = [],
): void {
  if (conceal === undefined) return;
  const values = [...paths.map((path) => getPath(object, path)), ...sensitiveValues(schema, object)];
  for (const value of values) if (value !== undefined) for (const text of textsOf(value)) conceal(text);
}

/** The sensitive places of a schema, with those in blocks. */
function sensitiveValues({ attributes, blocks }: BlockSchema, { data }: Value): readonly Value[] {
  if (!isEntries(data)) return [];
  const own = [...data].filter(([name]) => attributes[name]?.sensitive).map(([, value]) => value);
  const inner = Object.entries(blocks).flatMap(([name, block]) => {
    const value = data.get(name);
    if (value === undefined) return [];
    return block.repeated && isElements(value.data)
      ? value.data.flatMap((element) => sensitiveValues(block, element))
      : sensitiveValues(block, value);
  });
  return [...own, ...inner];
}
