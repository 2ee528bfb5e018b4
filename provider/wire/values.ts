/**
 * @module Values on the wire: a `DynamicValue` and the value of a known type that it stands for.
 */
import { fromJson, parseJson } from "../../src/values/json/json.ts";
import { decodeMsgpack, encodeMsgpack, MsgpackValueError } from "../../src/values/msgpack/msgpack.ts";
import { formatPath, type Path } from "../../src/values/path.ts";
import type { Type } from "../../src/values/type.ts";
import { nullValue, type Value } from "../../src/values/value.ts";
import { isElements, isEntries, isWhollyKnown } from "../../src/values/walk.ts";
import type { WireValue } from "./messages.ts";

const noBytes = new Uint8Array();

/** @throws MsgpackValueError when the value is not of the type */
export function toWireValue(value: Value, type: Type): WireValue {
  return { msgpack: encodeMsgpack(value, type), json: noBytes };
}

/** What was sent is no value that the call can take. */
export class WireValueError extends Error {
  override readonly name = "WireValueError";

  constructor(
    message: string,
    /** Where in the value: the attribute. */
    readonly path: Path,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/**
 * The value; null of the type when nothing was sent.
 *
 * @throws WireValueError when what was sent is not a value of the type
 */
export function fromWireValue(wire: WireValue | undefined, type: Type): Value {
  if (wire === undefined) return nullValue(type);
  if (wire.msgpack.length > 0) return fromMsgpack(wire.msgpack, type);
  if (wire.json.length === 0) return nullValue(type);
  const read = fromJson(parseJson(Buffer.from(wire.json).toString("utf8")), type);
  if ("value" in read) return read.value;
  throw new WireValueError(
    read.path.length === 0 ? read.error : `${formatPath(read.path)}: ${read.error}`,
    read.path,
  );
}

function fromMsgpack(bytes: Uint8Array, type: Type): Value {
  try {
    return decodeMsgpack(bytes, type);
  } catch (error) {
    if (!(error instanceof MsgpackValueError)) throw error;
    throw new WireValueError(error.message, error.path, { cause: error });
  }
}

/**
 * The value where everything is known: of what is stored, and of a configuration that is applied.
 *
 * @throws WireValueError also when something in it is unknown
 */
export function fromKnownWireValue(wire: WireValue | undefined, type: Type): Value {
  const value = fromWireValue(wire, type);
  const path = unknownPath(value, []);
  if (path === undefined) return value;
  throw new WireValueError(`${path.length === 0 ? "the value" : formatPath(path)} is not known`, path);
}

/** Where the first unknown part is; undefined when there is none. */
function unknownPath(value: Value, path: Path): Path | undefined {
  const { data } = value;
  if (isWhollyKnown(value)) return undefined;
  if (isElements(data)) {
    for (const [index, element] of data.entries()) {
      const found = unknownPath(element, [...path, { index }]);
      if (found !== undefined) return found;
    }
  }
  if (isEntries(data)) {
    for (const [name, inner] of data) {
      const step = value.type.kind === "map" ? { key: name } : { attribute: name };
      const found = unknownPath(inner, [...path, step]);
      if (found !== undefined) return found;
    }
  }
  return path;
}
