/**
 * @module Configurations as data, in the JSON syntax that both engines read (`main.tf.json`).
 */
import { providerAddress } from "../../provider/reattach.ts";
import type { Plain, PlainObject } from "../../src/values/plain.ts";

export interface ResourceBlock {
  readonly type: string;
  readonly name: string;
  /** Blocks are objects, as attributes are. */
  readonly settings: PlainObject;
  /** Settings that come from another resource, and are known when that has been made. */
  readonly later?: readonly string[];
}

/** The text of a file with the provider's requirement and the resources. */
export function jsonConfiguration(resources: readonly ResourceBlock[]): string {
  const byType: Record<string, Record<string, unknown>> = {};
  const source = "terraform_data";
  for (const { type, name, settings, later = [] } of resources) {
    const known = literal(settings) as Readonly<Record<string, unknown>>;
    const unknown = later.map((setting) => [setting, `\${${source}.${name}.output.${setting}}`]);
    byType[type] = { ...byType[type], [name]: { ...known, ...Object.fromEntries(unknown) } };
    const input = Object.fromEntries(later.map((setting) => [setting, known[setting]]));
    if (later.length > 0) byType[source] = { ...byType[source], [name]: { input } };
  }
  const conn3x = { source: providerAddress };
  return JSON.stringify({ terraform: { required_providers: { conn3x } }, resource: byType }, null, 2);
}

/** In JSON syntax every string is a template, so what begins a sequence is written twice. */
function literal(plain: Plain): unknown {
  if (typeof plain === "string") return plain.replaceAll(/[$%](?=\{)/g, "$&$&");
  if (typeof plain === "bigint") throw new RangeError("JSON syntax has no integers beyond 2^53");
  if (Array.isArray(plain)) return plain.map(literal);
  if (typeof plain !== "object" || plain === null) return plain;
  return Object.fromEntries(Object.entries(plain).map(([name, value]) => [name, literal(value)]));
}
