/**
 * @module Stored objects, of whatever version, as values of today's schema.
 */
import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { type BlockSchema, type ResourceSchema, schemaType } from "../../schema/schema.ts";
import { fromJson, type Json, parseJson } from "../../values/json/json.ts";
import { isJsonObject } from "../../values/json/json-text.ts";
import { formatPath } from "../../values/path.ts";
import type { Value } from "../../values/value.ts";
import { unfitSetting } from "../validate/validate-parts.ts";

type Upgraded = { readonly value?: Value; readonly diagnostics: readonly Diagnostic[] };

/**
 * What the kind has an upgrade for is upgraded. Settings that the schema has gained since are null, ones that it has lost are dropped.
 * @param version schema version of the stored object
 * @param text the object as JSON
 */
export function upgradeState(type: string, schema: ResourceSchema, version: number, text: string): Upgraded {
  if (version > schema.version) {
    return unusable(
      type,
      `It was written by a newer Conn3x (schema version ${version}, this one knows ${schema.version}). Use that version or a newer one.`,
    );
  }
  let json: Json;
  try {
    json = parseJson(text);
  } catch {
    return unusable(type, "It is not JSON. Restore the state from its backup.");
  }
  if (!isJsonObject(json)) return unusable(type, "It is no object. Restore the state from its backup.");
  const today = version < schema.version ? (schema.upgrade?.(json, version) ?? json) : json;
  const read = fromJson(knownSettings(schema, today), schemaType(schema));
  if ("value" in read) return usable(type, schema, read.value);
  return unusable(type, `${formatPath(read.path)}: ${read.error}. Restore the state from its backup.`);
}

/** What no configuration could have said would be asked of the host as something else. */
function usable(type: string, schema: ResourceSchema, value: Value): Upgraded {
  const unfit = unfitSetting(schema, value);
  if (unfit === undefined) return { value, diagnostics: [] };
  return unusable(type, `${unfit.detail} Restore the state from its backup.`);
}

const unusable = (type: string, detail: string): Upgraded => ({
  diagnostics: [errorDiagnostic(`Stored object of ${type} cannot be used`, detail)],
});

function knownSettings(schema: BlockSchema, json: Json): Json {
  if (!isJsonObject(json)) return json;
  const kept: Record<string, Json> = {};
  for (const name of Object.keys(schema.attributes)) kept[name] = json[name] ?? null;
  for (const [name, block] of Object.entries(schema.blocks)) kept[name] = knownBlock(block, json[name]);
  return kept;
}

function knownBlock(block: BlockSchema, json: Json | undefined): Json {
  if (!block.repeated) return knownSettings(block, json ?? null);
  return Array.isArray(json) ? json.map((element) => knownSettings(block, element)) : (json ?? []);
}
