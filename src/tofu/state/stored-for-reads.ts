/**
 * @module What a state holds of our resources, those of modules and of all provider configurations: as much as reading
 * their hosts takes.
 */
import type { InstanceKey } from "../../values/address.ts";
import { jsonText } from "../../values/json/json.ts";
import { parseJson } from "../../values/json/json-text.ts";
import { isOurType } from "../plan/subjects.ts";
import { arrayAt, type Json, keyAt, numberAt, objectAt, textAt } from "../program/json.ts";

export interface StoredForRead {
  /** Which provider configuration it belongs to, aliases included, with the module where that is. */
  readonly provider: string;
  /** `module.a.conn3x_file.web__config` */
  readonly resource: string;
  readonly type: string;
  readonly name: string;
  readonly key: InstanceKey;
  /** Of an old object that is still to be deleted: its key among such objects. */
  readonly deposed?: string;
  readonly schemaVersion: number;
  /** JSON text of the object. */
  readonly attributes: string;
  /** JSON text of the paths of sensitive values. */
  readonly sensitivePaths: string;
  readonly private: Uint8Array;
}

/**
 * @param text of a state of format version 4, as `state pull` prints it
 * @returns nothing for what is no such state: then nothing is known in advance
 */
export function storedForReads(text: string): readonly StoredForRead[] {
  return arrayAt(parse(text), "resources").flatMap((resource) => {
    const type = textAt(resource, "type") ?? "";
    if (textAt(resource, "mode") !== "managed" || !isOurType(type)) return [];
    const provider = textAt(resource, "provider") ?? "";
    const name = textAt(resource, "name") ?? "";
    const module = textAt(resource, "module");
    const address = `${module === undefined ? "" : `${module}.`}${type}.${name}`;
    return arrayAt(resource, "instances").map((instance) => {
      const deposed = textAt(instance, "deposed");
      return {
        provider,
        resource: address,
        type,
        name,
        key: keyAt(instance, "index_key"),
        ...(deposed === undefined ? {} : { deposed }),
        schemaVersion: numberAt(instance, "schema_version") ?? 0,
        attributes: jsonText(objectAt(instance, "attributes")),
        sensitivePaths: jsonText(arrayAt(instance, "sensitive_attributes")),
        private: Buffer.from(textAt(instance, "private") ?? "", "base64"),
      };
    });
  });
}

function parse(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
