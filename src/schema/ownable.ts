/**
 * @module Which settings may be left to somebody else (D4): denied unless everything that ownership needs is there.
 */
import { type BlockSchema, isConfigurable } from "./schema.ts";

/** The settings of an object that can be somebody else's, in the schema's order. */
export const ownableSettings = (schema: BlockSchema): readonly string[] =>
  Object.keys(schema.attributes).filter((name) => whyNotOwnable(schema, name) === undefined);

/** What keeps a name from being one of them, as the end of a sentence that starts with it; undefined for one that is. */
export function whyNotOwnable(schema: BlockSchema, name: string): string | undefined {
  const attribute = Object.hasOwn(schema.attributes, name) ? schema.attributes[name] : undefined;
  if (attribute === undefined) return "is no setting of this kind.";
  if (attribute.identity) return "says which object it is, and so cannot be somebody else's.";
  if (!isConfigurable(attribute)) return "is found out, not configured: there is nothing to leave.";
  if (!attribute.observed) return "is not read from the host, so nobody else's value can be seen.";
  return undefined;
}
