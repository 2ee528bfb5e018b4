/**
 * @module Whether what a plug-in exports are kinds that can be used.
 */
import type { Kind } from "../resources/kind.ts";

/** Names of kinds are names of blocks and parts of resource types. */
const isName = (name: string): boolean => /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/.test(name);

/** What a kind has whatever its role is. */
const everyKind = { name: "string", type: "string", schema: "object", id: "object" } as const;
/** What a kind has by its role. */
const byRole = {
  step: { facts: "object", observe: "function", operate: "function", remove: "function" },
  action: { run: "function" },
} as const;

/**
 * @param exported what the module exports
 * @param taken types of kinds that there are already
 * @returns the kinds, or what is wrong with them as the rest of a sentence about the plug-in
 */
export function kindsOf(exported: unknown, taken: ReadonlySet<string>): readonly Kind[] | string {
  const kinds = property(exported, "kinds");
  if (!Array.isArray(kinds)) return "exports no list `kinds`";
  const types = new Set(taken);
  for (const [i, kind] of kinds.entries()) {
    const problem = problemOf(kind, types);
    if (problem !== undefined) return `exports kinds, and number ${i + 1} of them ${problem}`;
    types.add((kind as Kind).type);
  }
  return kinds as readonly Kind[];
}

function problemOf(kind: unknown, types: ReadonlySet<string>): string | undefined {
  const role = property(kind, "role");
  if (role !== "step" && role !== "action") return "was not made with stepKind or actionKind of conn3x/kind";
  for (const [name, type] of Object.entries({ ...everyKind, ...byRole[role] }))
    if (typeof property(kind, name) !== type) return `has no ${name}`;
  const { name, type, schema } = kind as Kind;
  if (!isName(name)) return "has a name that is not lower-case letters, digits and single underscores";
  if (types.has(type)) return `is ${type}, which there is already`;
  const missing = ["id", "revision", "when", "skipped"].find((one) => !(one in (schema.attributes ?? {})));
  if (missing !== undefined || !("ssh" in (schema.blocks ?? {})))
    return "has a schema that was not made with hostResource of conn3x/kind";
  return undefined;
}

const property = (object: unknown, name: string): unknown =>
  typeof object === "object" && object !== null ? (object as Record<string, unknown>)[name] : undefined;
