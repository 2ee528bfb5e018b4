/**
 * @module What a state holds of our resources, by provider configuration: as much as reading their hosts takes.
 */

import { jsonText } from "../values/json.ts";
import { parseJson } from "../values/json-text.ts";
import { arrayAt, type Json, numberAt, objectAt, textAt } from "./json.ts";
import { isOurs } from "./subjects.ts";

export interface StoredInstance {
  /** Which provider configuration it belongs to, aliases included, with the module where that is. */
  readonly provider: string;
  readonly type: string;
  readonly schemaVersion: number;
  /** JSON text of the object. */
  readonly attributes: string;
  readonly private: Uint8Array;
}

/**
 * @param text of a state of format version 4, as `state pull` prints it
 * @returns nothing for what is no such state: then nothing is known in advance
 */
export function storedInstances(text: string): readonly StoredInstance[] {
  return arrayAt(parse(text), "resources").flatMap((resource) => {
    const type = textAt(resource, "type") ?? "";
    if (textAt(resource, "mode") !== "managed" || !isOurs(type)) return [];
    const provider = textAt(resource, "provider") ?? "";
    return arrayAt(resource, "instances")
      .filter((instance) => textAt(instance, "deposed") === undefined)
      .map((instance) => ({
        provider,
        type,
        schemaVersion: numberAt(instance, "schema_version") ?? 0,
        attributes: jsonText(objectAt(instance, "attributes")),
        private: Buffer.from(textAt(instance, "private") ?? "", "base64"),
      }));
  });
}

function parse(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
