/**
 * @module What a YAML document means.
 *
 * The scalars are those of OpenTofu's YAML library: YAML 1.1's booleans (`on`, `yes`, `n`), decimal numbers even with a
 * leading zero, timestamps as RFC 3339 text. Keys are scalars too, so a key `on` is `true`.
 */
import type { Node, Scalar } from "yaml";
import { BigFloat } from "../../values/big-float.ts";
import { dynamicType } from "../../values/type.ts";
import {
  boolValue,
  nullValue,
  numberValue,
  objectValue,
  stringValue,
  tupleValue,
  type Value,
} from "../../values/value.ts";
import { isElements, isEntries } from "../../values/walk.ts";
import { type FunctionError, functionError } from "../function-definition.ts";

/** Not imported, so that a plan without YAML does not load the library. */
const yaml = (): typeof import("yaml") => require("yaml");

/** Something of a document that has no value here. */
class Unsupported extends Error {}

export function decodeYaml(source: string): Value | FunctionError {
  const lines = new (yaml().LineCounter)();
  // Scalars are left as text: which value they are is decided here.
  const parsed = yaml().parseAllDocuments(source, {
    schema: "failsafe",
    lineCounter: lines,
    uniqueKeys: false,
    merge: false,
  });
  const documents = Array.isArray(parsed) ? parsed : [];
  const [document, second] = documents;
  if (document === undefined || (document.contents === null && !/^---/m.test(source))) {
    return functionError("on line 1, column 1: missing start of document");
  }
  if (second !== undefined) return functionError("on line 1, column 1: unexpected extra content after value");
  const [problem] = document.errors;
  if (problem !== undefined) {
    const { line, col } = lines.linePos(problem.pos[0]);
    return functionError(`on line ${line}, column ${col}: ${firstLine(problem.message)}`);
  }
  try {
    return nodeValue(document.contents, {
      source,
      length: source.endsWith("\n") ? undefined : source.length,
      values: new Map(),
      sizes: new Map(),
      nodes: 0,
    });
  } catch (error) {
    if (error instanceof Unsupported) return functionError(error.message);
    throw error;
  }
}

const firstLine = (message: string): string =>
  message
    .split("\n")[0]!
    .replace(/ at line \d+.*$/, "")
    .replace(/[:.]$/, "");

/** What is known of a document while it is read. */
interface Reading {
  readonly source: string;
  /** Of the document, where it does not end with a line feed. */
  readonly length: number | undefined;
  /** By anchor; undefined while the anchored node is being read. */
  readonly values: Map<string, Value | undefined>;
  /** How many nodes each stands for, aliases followed. */
  readonly sizes: Map<string, number>;
  /** Nodes so far, aliases followed. */
  nodes: number;
}

/**
 * Aliases of aliases fill no memory here, but whatever walks through the value later goes through every one of them:
 * ten lines can stand for billions of nodes.
 */
const mostAliased = 1_000_000;

function nodeValue(node: unknown, reading: Reading): Value {
  if (node === null || node === undefined) return nullValue(dynamicType);
  if (yaml().isAlias(node)) return aliasValue(node.source, reading);
  if (!yaml().isNode(node)) throw new Unsupported("unsupported YAML content");
  const anchor = "anchor" in node ? node.anchor : undefined;
  if (anchor !== undefined) reading.values.set(anchor, undefined);
  const before = reading.nodes++;
  const value = yaml().isScalar(node) ? scalarValue(node, reading) : collectionValue(node, reading);
  if (anchor !== undefined) {
    reading.values.set(anchor, value);
    reading.sizes.set(anchor, reading.nodes - before);
  }
  return value;
}

const isMerge = ({ value, tag }: Scalar): boolean =>
  tag === "tag:yaml.org,2002:merge" || tag === "!!merge" || (value === "<<" && tag === undefined);

function collectionValue(node: Node, reading: Reading): Value {
  const kind = yaml().isSeq(node) ? "seq" : "map";
  const tag = node.tag?.replace("!!", "tag:yaml.org,2002:");
  if (tag !== undefined && tag !== `tag:yaml.org,2002:${kind}`)
    throw new Unsupported(`can't interpret ${kind === "seq" ? "sequence" : "mapping"} as ${tag}`);
  if (yaml().isSeq(node)) return tupleValue(node.items.map((item) => nodeValue(item, reading)));
  if (!yaml().isMap(node)) throw new Unsupported("unsupported YAML content");
  const entries = new Map<string, Value>();
  for (const { key, value } of node.items) {
    if (yaml().isScalar(key) && isMerge(key)) mergeInto(entries, nodeValue(value, reading));
    else entries.set(keyText(nodeValue(key, reading)), nodeValue(value, reading));
  }
  return objectValue(entries);
}

/** The anchored value itself, not a copy. */
function aliasValue(name: string, reading: Reading): Value {
  const value = reading.values.get(name);
  if (value !== undefined) {
    reading.nodes += reading.sizes.get(name) ?? 1;
    if (reading.nodes > mostAliased) throw new Unsupported("document contains excessive aliasing");
    return value;
  }
  const shown = JSON.stringify(name);
  if (reading.values.has(name))
    throw new Unsupported(`cannot refer to anchor ${shown} from inside its own value`);
  throw new Unsupported(`reference to undefined anchor ${shown}`);
}

/** `<<` brings in the entries of a map, or of several. Of equal keys the last one counts, here as everywhere. */
function mergeInto(entries: Map<string, Value>, merged: Value): void {
  const maps = isElements(merged.data) ? merged.data : [merged];
  for (const { data } of maps) {
    if (!isEntries(data))
      throw new Unsupported("the value of a merge key must be a mapping, or a sequence of mappings");
    for (const [name, value] of data) entries.set(name, value);
  }
}

function keyText({ data }: Value): string {
  if (typeof data === "string" || typeof data === "boolean" || data instanceof BigFloat) return String(data);
  throw new Unsupported("only strings are allowed as mapping keys");
}

const truths = new Set(["y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"]);
const falsehoods = new Set(["n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"]);
const nulls = new Set(["", "~", "null", "Null", "NULL"]);

/** A block scalar that is the document's end has a line feed at its own end only if the document has. */
function scalarText({ source = "", type, range }: Scalar, { length }: Reading): string {
  const isOpen = type?.startsWith("BLOCK") && range?.[1] === length;
  return isOpen ? source.replace(/\n$/, "") : source;
}

/** An escape for half of a character: with its other half after it, it is one in JSON, and none in YAML. */
const halfEscape = /\\(?:\\|(u|U0000)[dD][89a-fA-F][\da-fA-F]{2})/g;

function refuseHalves({ type, range }: Scalar, { source }: Reading): void {
  if (type !== "QUOTE_DOUBLE" || range == null) return;
  const written = source.slice(range[0], range[1]);
  for (const [, half] of written.matchAll(halfEscape))
    if (half !== undefined) throw new Unsupported("found invalid Unicode character escape code");
}

function scalarValue(scalar: Scalar, reading: Reading): Value {
  refuseHalves(scalar, reading);
  const source = scalarText(scalar, reading);
  switch (scalar.tag?.replace("tag:yaml.org,2002:", "!!")) {
    case undefined:
      return scalar.type === "PLAIN" || scalar.type === undefined ? plainValue(source) : stringValue(source);
    case "!!str":
      return stringValue(source);
    case "!!binary":
      return stringValue(source.replace(/\s/g, ""));
    case "!!null":
      return nullValue(dynamicType);
    case "!!bool":
    case "!!int":
    case "!!float":
    case "!!timestamp":
      return taggedValue(scalar, source);
    default:
      throw new Unsupported(`unsupported tag ${JSON.stringify(scalar.tag)}`);
  }
}

/** A scalar that is said to be a bool, a number or a time must be one of these, or null. Quoted, it stays a text. */
function taggedValue({ tag = "", type }: Scalar, source: string): Value {
  const kind = tag.replace("tag:yaml.org,2002:", "!!");
  const isNumber = kind === "!!int" || kind === "!!float";
  const value = (isNumber && underscored(source)) || plainValue(source);
  const isTime = kind === "!!timestamp" && timestampText(source) !== undefined;
  if (typeof value.data === "string" && !isTime)
    throw new Unsupported(
      `cannot parse ${JSON.stringify(source)} as ${tag.replace("!!", "tag:yaml.org,2002:")}`,
    );
  return type === "PLAIN" ? value : stringValue(source);
}

/** Numbers that only a tag makes numbers: `1_000`, `0b11`. */
function underscored(source: string): Value | undefined {
  if (!/^[-+]?(?:0b[01_]+|\d[\d_]*)$/.test(source)) return undefined;
  const digits = source.replaceAll("_", "");
  const [, sign, bits] = /^([-+]?)0b([01]+)$/.exec(digits) ?? [];
  if (bits === undefined) return numberValue(plainNumber(digits)!);
  const number = BigFloat.of(BigInt(`0b${bits}`));
  return numberValue(sign === "-" ? number.neg() : number);
}

function plainValue(source: string): Value {
  if (nulls.has(source)) return nullValue(dynamicType);
  if (truths.has(source)) return boolValue(true);
  if (falsehoods.has(source)) return boolValue(false);
  if (/^[-+]?\.nan$/i.test(source)) throw new Unsupported("floating point NaN is not supported");
  const infinity = /^([-+]?)\.(?:inf|Inf|INF)$/.exec(source);
  if (infinity !== null)
    return numberValue(infinity[1] === "-" ? BigFloat.negativeInfinity : BigFloat.infinity);
  const number = plainNumber(source);
  if (number !== undefined) return numberValue(number);
  return stringValue(timestampText(source) ?? source);
}

const timestamp =
  /^(\d{4})-(\d\d?)-(\d\d?)(?:(?:[Tt](\d\d?):(\d\d?):(\d\d?)(?:\.\d+)?(Z|[+-]\d\d:\d\d))|(?: (\d\d?):(\d\d?):(\d\d?)(?:\.\d+)?))?$/;

/** A date or a point in time in RFC 3339's form, without fractions of a second. */
function timestampText(source: string): string | undefined {
  const match = timestamp.exec(source);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second, zone = "Z", plainHour, plainMinute, plainSecond] = match;
  const two = (digits = "0"): string => digits.padStart(2, "0");
  const time = [hour ?? plainHour, minute ?? plainMinute, second ?? plainSecond].map(two).join(":");
  const local = `${year}-${two(month)}-${two(day)}T${time}`;
  const date = new Date(`${local}Z`);
  const exists = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(local);
  return exists ? local + zone : undefined;
}

function plainNumber(source: string): BigFloat | undefined {
  if (/^0[xX][0-9a-fA-F]+$|^0o[0-7]+$/.test(source)) return BigFloat.of(BigInt(source));
  if (!/^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/.test(source)) return undefined;
  return BigFloat.parse(source.replace(/\.(?=$|[eE])/, ""));
}
