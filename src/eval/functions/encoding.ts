/**
 * @module Encodings of text: Base64, JSON, CSV, URL, gzip.
 */
import { constants, crc32, deflateRawSync, gunzipSync } from "node:zlib";
import { BigFloat } from "../../values/big-float.ts";
import { toJson } from "../../values/json/json.ts";
import { isJsonArray, type Json, jsonText, parseJson } from "../../values/json/json-text.ts";
import { dynamicType, listOf, objectOf, stringType } from "../../values/type.ts";
import {
  boolValue,
  isUnknown,
  nullValue,
  numberValue,
  objectValue,
  stringValue,
  tupleValue,
  unknownValue,
  type Value,
} from "../../values/value.ts";
import { isWhollyKnown } from "../../values/walk.ts";
import {
  type EagerFunction,
  type FunctionError,
  functionError,
  isFunctionError,
} from "../function-definition.ts";
import { parameter, stringFunction, text } from "./arguments.ts";
import { parseCsv } from "./csv.ts";

const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Bytes as text; undefined when they are not UTF-8. */
export function utf8(bytes: Uint8Array): string | undefined {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** The bytes of Base64 text with its padding; line ends do not matter. */
function fromBase64(encoded: string): Uint8Array | FunctionError {
  const compact = encoded.replace(/[\r\n]/g, "");
  const proper = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(compact);
  if (proper) return Buffer.from(compact, "base64");
  return functionError(`failed to decode base64 data ${JSON.stringify(encoded)}`);
}

function decodedText(bytes: Uint8Array | FunctionError): string | FunctionError {
  if ("error" in bytes) return bytes;
  return utf8(bytes) ?? functionError("the result of decoding the provided string is not valid UTF-8");
}

/** Go's writer ends its output with a flush and an empty block, and names no operating system. */
function gzip(value: string): string {
  const bytes = Buffer.from(value);
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc32(bytes), 0);
  trailer.writeUInt32LE(bytes.length >>> 0, 4);
  return Buffer.concat([
    Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]),
    deflateRawSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }),
    Buffer.from([1, 0, 0, 0xff, 0xff]),
    trailer,
  ]).toString("base64");
}

/** What is unpacked at most: a few bytes can make gigabytes. Bytes. */
const longestText = 256 * 2 ** 20;

function gunzip(encoded: string): string | FunctionError {
  const bytes = fromBase64(encoded);
  if ("error" in bytes) return bytes;
  try {
    return decodedText(gunzipSync(bytes, { maxOutputLength: longestText }));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE")
      return functionError(
        `failed to uncompress the given bytes: they make more than ${longestText / 2 ** 20} MiB`,
      );
    return functionError("failed to uncompress the given bytes: they are not in gzip form");
  }
}

function urlEncode(value: string): string {
  return encodeURIComponent(value)
    .replace(/%20/g, "+")
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}

function urlDecode(value: string): string | FunctionError {
  const wrong = /%(?![0-9A-Fa-f]{2}).{0,2}/s.exec(value);
  if (wrong !== null) {
    return functionError(`failed to decode URL '${value}': invalid URL escape ${JSON.stringify(wrong[0])}`);
  }
  const hex = value.replace(/%([0-9A-Fa-f]{2})|([^%]+)/g, (_, escaped, plain) => {
    return escaped ?? Buffer.from(String(plain).replaceAll("+", " ")).toString("hex");
  });
  const decoded = utf8(Buffer.from(hex, "hex"));
  return decoded ?? functionError("the result of decoding the provided string is not valid UTF-8");
}

const jsonencode: EagerFunction = {
  name: "jsonencode",
  params: [parameter("val", dynamicType, { allowNull: true, allowUnknown: true })],
  returnType: stringType,
  call: ([value]) => {
    if (!isWhollyKnown(value!)) return unknownValue(stringType, { notNull: true, ...jsonPrefix(value!) });
    try {
      return stringValue(jsonText(toJson(value!, value!.type), { escapeHtml: true }));
    } catch (error) {
      if (error instanceof RangeError) return functionError(error.message);
      throw error;
    }
  },
};

/** How the text will begin, which follows from its type. */
function jsonPrefix(value: Value): { readonly prefix?: string } {
  if (isUnknown(value)) return {};
  const { kind } = value.type;
  if (kind === "list" || kind === "set" || kind === "tuple") return { prefix: "[" };
  return kind === "map" || kind === "object" ? { prefix: "{" } : {};
}

/** A JSON tree as a value of the type that it has by itself: objects and tuples. */
function impliedValue(json: Json): Value {
  if (json === null) return nullValue(dynamicType);
  if (typeof json === "string") return stringValue(json);
  if (typeof json === "boolean") return boolValue(json);
  if (json instanceof BigFloat) return numberValue(json);
  if (isJsonArray(json)) return tupleValue(json.map(impliedValue));
  const entries = Object.entries(json).map(
    ([name, inner]) => [name.normalize("NFC"), impliedValue(inner)] as const,
  );
  return objectValue(new Map(entries));
}

const jsondecode: EagerFunction = {
  name: "jsondecode",
  params: [parameter("str", stringType)],
  returnType: dynamicType,
  call: ([encoded]) => {
    if (text(encoded).trim() === "") return functionError("EOF");
    try {
      return impliedValue(parseJson(text(encoded)));
    } catch (error) {
      if (error instanceof SyntaxError) return functionError(`invalid JSON: ${error.message}`);
      throw error;
    }
  },
};

const csvdecode: EagerFunction = {
  name: "csvdecode",
  params: [parameter("str", stringType)],
  returnType: dynamicType,
  call: ([encoded]) => {
    const records = parseCsv(text(encoded));
    if (isFunctionError(records)) return records;
    const [header, ...rows] = records;
    if (header === undefined) return functionError("missing header line");
    const twice = header.find((name, i) => header.indexOf(name) !== i);
    if (twice !== undefined) return functionError(`duplicate column name ${JSON.stringify(twice)}`);
    const type = objectOf(Object.fromEntries(header.map((name) => [name, stringType])));
    const data = rows.map((row): Value => {
      return { type, data: new Map(header.map((name, i) => [name, stringValue(row[i] ?? "")])) };
    });
    return { type: listOf(type), data };
  },
};

/** Names of encodings for Node's decoder and, where it can also write them, its buffers. */
function textEncoder(encoding: string): ((value: string) => Uint8Array | undefined) | undefined {
  switch (encoding.toUpperCase().replace(/_/g, "-")) {
    case "UTF-8":
    case "UTF8":
      return (value) => Buffer.from(value);
    case "UTF-16LE":
      return (value) => Buffer.from(value, "utf16le");
    case "UTF-16BE":
      return (value) => Buffer.from(value, "utf16le").swap16();
    case "US-ASCII":
    case "ASCII":
      return (value) => singleBytes(value, 0x7f);
    case "ISO-8859-1":
    case "LATIN1":
      return (value) => singleBytes(value, 0xff);
    case "WINDOWS-1252":
      return toWindows1252;
    default:
      return undefined;
  }
}

function singleBytes(value: string, most: number): Uint8Array | undefined {
  return [...value].every((character) => character.codePointAt(0)! <= most)
    ? Buffer.from(value, "latin1")
    : undefined;
}

/** What windows-1252 has where ISO 8859-1 has control characters, from 0x80; Node's decoder leaves them out. */
const windows1252 = "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ";

function toWindows1252(value: string): Uint8Array | undefined {
  const latin = [...value].map((character) => {
    const position = windows1252.indexOf(character);
    return position === -1 ? character : String.fromCharCode(0x80 + position);
  });
  const lost = [...value].some(
    (character) => /[\x80-\x9f]/.test(character) && !windows1252.includes(character),
  );
  return lost ? undefined : singleBytes(latin.join(""), 0xff);
}

function fromWindows1252(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString("latin1")
    .replace(/[\x80-\x9f]/g, (character) => windows1252[character.charCodeAt(0) - 0x80]!);
}

const unsupported = (encoding: string): FunctionError =>
  functionError(`${JSON.stringify(encoding)} is not a supported IANA encoding name or alias`, 1);

function encodeText(value: string, encoding: string): string | FunctionError {
  const encode = textEncoder(encoding);
  if (encode === undefined) return unsupported(encoding);
  const bytes = encode(value);
  if (bytes !== undefined) return Buffer.from(bytes).toString("base64");
  return functionError(`the given string contains characters that cannot be represented in ${encoding}`, 0);
}

function decodeText(encoded: string, encoding: string): string | FunctionError {
  const bytes = fromBase64(encoded);
  if ("error" in bytes) return { ...bytes, argument: 0 };
  if (/^windows-1252$/i.test(encoding)) return fromWindows1252(bytes);
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof RangeError) return unsupported(encoding);
    return functionError(`the given string contains bytes that cannot be decoded as ${encoding}`, 0);
  }
}

export const encodingFunctions: readonly EagerFunction[] = [
  stringFunction("base64encode", ["str"], (value) => Buffer.from(value).toString("base64")),
  stringFunction("base64decode", ["str"], (encoded) => decodedText(fromBase64(encoded))),
  stringFunction("base64gzip", ["str"], gzip),
  stringFunction("base64gunzip", ["str"], gunzip),
  stringFunction("urlencode", ["str"], urlEncode),
  stringFunction("urldecode", ["str"], urlDecode),
  stringFunction("textencodebase64", ["string", "encoding"], encodeText),
  stringFunction("textdecodebase64", ["source", "encoding"], decodeText),
  jsonencode,
  jsondecode,
  csvdecode,
];
