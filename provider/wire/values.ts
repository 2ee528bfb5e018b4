/**
 * @module Values on the wire: a `DynamicValue` and the value of a known type that it stands for.
 */
import { fromJson, parseJson } from "../../src/values/json.ts";
import { decodeMsgpack, encodeMsgpack } from "../../src/values/msgpack.ts";
import { formatPath } from "../../src/values/path.ts";
import type { Type } from "../../src/values/type.ts";
import { nullValue, type Value } from "../../src/values/value.ts";
import type { WireValue } from "./messages.ts";

const noBytes = new Uint8Array();

/** @throws MsgpackValueError when the value is not of the type */
export function toWireValue(value: Value, type: Type): WireValue {
  return { msgpack: encodeMsgpack(value, type), json: noBytes };
}

/**
 * The value; null of the type when nothing was sent.
 *
 * @throws Error when what was sent is not a value of the type
 */
export function fromWireValue(wire: WireValue | undefined, type: Type): Value {
  if (wire === undefined) return nullValue(type);
  if (wire.msgpack.length > 0) return decodeMsgpack(wire.msgpack, type);
  if (wire.json.length === 0) return nullValue(type);
  const read = fromJson(parseJson(Buffer.from(wire.json).toString("utf8")), type);
  if ("value" in read) return read.value;
  throw new Error(read.path.length === 0 ? read.error : `${formatPath(read.path)}: ${read.error}`);
}
