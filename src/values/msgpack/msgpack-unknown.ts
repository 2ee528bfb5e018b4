/**
 * @module Unknown values in cty's MessagePack form: an extension item, with what is known of the value in its body.
 */

import type { Type } from "../type.ts";
import { type Refinement, type Unknown, unknownValue, type Value } from "../value.ts";
import { MsgpackError, MsgpackReader } from "./msgpack-reader.ts";
import { MsgpackWriter } from "./msgpack-writer.ts";

const plainExtension = 0;
const refinedExtension = 12;
/** Keys of the map in a refined unknown's body. 3 and 4 are a number's bounds, which values here do not keep. */
const refinementKey = { nullness: 1, prefix: 2, minLength: 5, maxLength: 6 };
/** Readers refuse bodies over a KiB, so cty writes no longer prefix than this, in bytes of UTF-8. */
const longestPrefix = 256;

/** @param type declared at this path: a dynamic one takes no refinements */
export function writeUnknown(writer: MsgpackWriter, unknown: Unknown, type: Type): void {
  const body = unknown.refinement === undefined ? undefined : refinementBody(unknown.refinement, type);
  if (body === undefined) writer.extension(plainExtension, new Uint8Array(1));
  else writer.extension(refinedExtension, body);
}

function refinementBody(refinement: Refinement, type: Type): Uint8Array | undefined {
  const collection = type.kind === "list" || type.kind === "set" || type.kind === "map";
  const entries: ((writer: MsgpackWriter) => void)[] = [];
  const add = (key: number, write: (writer: MsgpackWriter) => void): void => {
    entries.push((writer) => {
      writer.int(key);
      write(writer);
    });
  };
  const { notNull, prefix, minLength, maxLength } = refinement;
  if (type.kind === "dynamic") return undefined;
  if (notNull === true) add(refinementKey.nullness, (writer) => writer.bool(false));
  if (type.kind === "string" && prefix !== undefined && prefix !== "") {
    add(refinementKey.prefix, (writer) => writer.string(shortened(prefix)));
  }
  if (collection && minLength !== undefined && minLength > 0) {
    add(refinementKey.minLength, (writer) => writer.int(minLength));
  }
  if (collection && maxLength !== undefined) add(refinementKey.maxLength, (writer) => writer.int(maxLength));
  if (entries.length === 0) return undefined;
  const writer = new MsgpackWriter(64);
  writer.map(entries.length);
  for (const write of entries) write(writer);
  return writer.bytes();
}

/** As much of a prefix as may be sent; a shorter one says less, but nothing wrong. */
function shortened(prefix: string): string {
  if (Buffer.byteLength(prefix) <= longestPrefix) return prefix;
  let kept = "";
  let bytes = 0;
  for (const character of prefix) {
    bytes += Buffer.byteLength(character);
    if (bytes > longestPrefix) break;
    kept += character;
  }
  return kept;
}

/** Any extension item stands for an unknown value; what of it is known is kept as far as values here can. */
export function readUnknown(reader: MsgpackReader, type: Type): Value {
  const { type: extension, body } = reader.extension();
  if (extension !== refinedExtension || body.length <= 1 || type.kind === "dynamic")
    return unknownValue(type);
  const refinement = readRefinement(new MsgpackReader(body));
  return unknownValue(type, Object.keys(refinement).length === 0 ? undefined : refinement);
}

function readRefinement(reader: MsgpackReader): Refinement {
  const found: { -readonly [K in keyof Refinement]: Refinement[K] } = {};
  for (let left = reader.map(); left > 0; left--) {
    const key = reader.int();
    if (key === refinementKey.nullness) {
      if (!reader.bool()) found.notNull = true;
    } else if (key === refinementKey.prefix) found.prefix = reader.string();
    else if (key === refinementKey.minLength) found.minLength = size(reader);
    else if (key === refinementKey.maxLength) found.maxLength = size(reader);
    else reader.skip();
  }
  return found;
}

function size(reader: MsgpackReader): number {
  const length = reader.int();
  if (typeof length === "bigint" || length < 0) throw new MsgpackError(`${length} is not a length`);
  return length;
}
