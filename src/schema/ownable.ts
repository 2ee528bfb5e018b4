/**
 * @module Which settings may be owned by somebody else (D4).
 */
import { type BlockSchema, isConfigurable } from "./schema.ts";

/** The settings of an object that somebody else may own, in the schema's order. */
export const ownableSettings = (schema: BlockSchema): readonly string[] =>
  Object.keys(schema.attributes).filter((name) => whyNotOwnable(schema, name) === undefined);

/** Why a name is not one of them, as the end of a sentence that starts with it; undefined when it is one. */
export function whyNotOwnable(schema: BlockSchema, name: string): string | undefined {
  const attribute = Object.hasOwn(schema.attributes, name) ? schema.attributes[name] : undefined;
  if (attribute === undefined) return "is no setting of this kind.";
  if (attribute.identity) return "says which object it is, and so cannot be somebody else's.";
  if (!isConfigurable(attribute)) return "is found out, not configured: there is nothing to leave.";
  if (!attribute.observed) return "is not read from the host, so nobody else's value can be seen.";
  return undefined;
}
