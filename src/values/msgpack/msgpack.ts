/**
 * @module Values as OpenTofu sends them to a provider: cty's form in MessagePack.
 *
 * The type decides how an item is read and written, never its shape, so this is a reader and a writer of our own
 * instead of a general MessagePack library, which would decide by shape, lose integers beyond 2^53, and hide where in
 * the value something is wrong. The rules are those of cty's `msgpack` package:
 *
 * - a number is an integer item when 64 bits hold it, else a double when that is exact, else its decimal digits;
 * - sets are arrays in cty's order, maps and objects are maps sorted by key;
 * - at a path whose declared type is dynamic stands an array of two: the type's JSON as bytes, and the value;
 * - an unknown value is extension 0, one about which something is known extension 12 with a map of what.
 */
import { BigFloat } from "../big-float.ts";
import { jsonText, parseJson, typeFromJson, typeToJson } from "../json/json.ts";
import { formatPath, type Path, type PathStep } from "../path.ts";
import { compareText, sortedEntries, sortedSet } from "../set-order.ts";
import { listOf, mapOf, objectOf, setOf, type Type, tupleOf, typeEquals } from "../type.ts";
import { boolValue, nullValue, numberValue, stringValue, Unknown, type Value } from "../value.ts";
import { MsgpackError, MsgpackReader } from "./msgpack-reader.ts";
import { readUnknown, writeUnknown } from "./msgpack-unknown.ts";
import { MsgpackWriter } from "./msgpack-writer.ts";

/** A value that is not of the type, or bytes that are no value of it. The message names the path, never a value. */
export class MsgpackValueError extends Error {
  override readonly name = "MsgpackValueError";

  constructor(
    message: string,
    /** Where in the value it is. */
    readonly path: Path,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/**
 * @param value conforms to `type`, and carries no marks
 * @throws MsgpackValueError when it does not
 */
export function encodeMsgpack(value: Value, type: Type): Uint8Array {
  return located((path) => {
    const writer = new MsgpackWriter();
    writeValue(writer, value, type, path);
    return writer.bytes();
  });
}

/**
 * @returns a value of `type`; where that is dynamic, of the type that the bytes name
 * @throws MsgpackValueError when the bytes are not a value of `type`
 */
export function decodeMsgpack(bytes: Uint8Array, type: Type): Value {
  return located((path) => {
    const reader = new MsgpackReader(bytes);
    const value = readValue(reader, type, path);
    if (!reader.done) throw new MsgpackError("there are bytes after the value");
    return value;
  });
}

/** Runs `act` with a path that it keeps up to date, and says in an error where it was. */
function located<T>(act: (path: PathStep[]) => T): T {
  const path: PathStep[] = [];
  try {
    return act(path);
  } catch (error) {
    if (!(error instanceof MsgpackError)) throw error;
    const place = path.length === 0 ? "" : `${formatPath(path)}: `;
    throw new MsgpackValueError(place + error.message, [...path], { cause: error });
  }
}

function writeValue(writer: MsgpackWriter, value: Value, type: Type, path: PathStep[]): void {
  if (value.marks !== undefined && value.marks.size > 0)
    throw new MsgpackError("a marked value cannot be sent");
  const { data } = value;
  if (type.kind === "dynamic" && value.type.kind !== "dynamic") {
    writer.array(2);
    writer.binary(Buffer.from(jsonText(typeToJson(value.type))));
    writeValue(writer, value, value.type, path);
  } else if (data instanceof Unknown) {
    writeUnknown(writer, data, type);
  } else if (data === null) {
    writer.nil();
  } else if (typeof data === "string" && type.kind === "string") {
    writer.string(data);
  } else if (typeof data === "boolean" && type.kind === "bool") {
    writer.bool(data);
  } else if (data instanceof BigFloat && type.kind === "number") {
    writeNumber(writer, data);
  } else if (Array.isArray(data)) {
    writeElements(writer, data, type, path);
  } else if (data instanceof Map) {
    writeEntries(writer, data, type, path);
  } else {
    throw mismatch(type, value);
  }
}

function writeNumber(writer: MsgpackWriter, number: BigFloat): void {
  const double = number.toNumber();
  if (!number.isInteger) {
    if (BigFloat.of(double).equals(number)) writer.double(double);
    else writer.string(number.toString());
  } else if (Number.isSafeInteger(double)) {
    writer.int(double);
  } else {
    const integer = Math.abs(double) < 2 ** 65 ? number.toBigInt() : undefined;
    if (integer !== undefined && BigInt.asIntN(64, integer) === integer) writer.int(integer);
    else writer.string(number.toString());
  }
}

function writeElements(
  writer: MsgpackWriter,
  elements: readonly Value[],
  type: Type,
  path: PathStep[],
): void {
  if (type.kind === "tuple" && type.elements.length !== elements.length)
    throw mismatchedSize(type, elements.length);
  if (type.kind !== "list" && type.kind !== "set" && type.kind !== "tuple") throw mismatch(type);
  writer.array(elements.length);
  elements.forEach((element, index) => {
    path.push({ index });
    writeValue(writer, element, type.kind === "tuple" ? type.elements[index]! : type.element, path);
    path.pop();
  });
}

function writeEntries(
  writer: MsgpackWriter,
  entries: ReadonlyMap<string, Value>,
  type: Type,
  path: PathStep[],
): void {
  if (type.kind === "map") {
    writer.map(entries.size);
    for (const [key, element] of sortedEntries(entries)) {
      path.push({ key });
      writer.string(key);
      writeValue(writer, element, type.element, path);
      path.pop();
    }
    return;
  }
  if (type.kind !== "object") throw mismatch(type);
  const names = attributeNames(type);
  if (names.length !== entries.size) throw mismatchedSize(type, entries.size);
  writer.map(names.length);
  for (const attribute of names) {
    path.push({ attribute });
    const value = entries.get(attribute);
    if (value === undefined) throw new MsgpackError("the attribute is missing");
    writer.string(attribute);
    writeValue(writer, value, type.attributes[attribute]!, path);
    path.pop();
  }
}

type ObjectType = Extract<Type, { kind: "object" }>;

/** Sorted names by type, as every instance of a resource has the same one. */
const namesByType = new WeakMap<ObjectType, readonly string[]>();

function attributeNames(type: ObjectType): readonly string[] {
  let names = namesByType.get(type);
  if (names === undefined) {
    names = Object.keys(type.attributes).sort(compareText);
    namesByType.set(type, names);
  }
  return names;
}

function readValue(reader: MsgpackReader, type: Type, path: PathStep[]): Value {
  const kind = reader.peek();
  if (kind === "extension") return readUnknown(reader, type);
  if (kind === "nil") {
    reader.nil();
    return nullValue(type);
  }
  switch (type.kind) {
    case "dynamic":
      return readDynamic(reader, path);
    case "string":
      return stringValue(reader.string());
    case "bool":
      return boolValue(reader.bool());
    case "number":
      return numberValue(readNumber(reader));
    case "map":
      return readMap(reader, type.element, path);
    case "object":
      return readObject(reader, type, path);
    case "tuple":
      return readTuple(reader, type.elements, path);
    default:
      return readList(reader, type, path);
  }
}

function readDynamic(reader: MsgpackReader, path: PathStep[]): Value {
  if (reader.array() !== 2) throw new MsgpackError("a value of any type must be a pair of type and value");
  const json = reader.binary().toString("utf8");
  let type: Type | undefined;
  try {
    type = typeFromJson(parseJson(json));
  } catch {
    type = undefined;
  }
  if (type === undefined) throw new MsgpackError(`${json} is not a type`);
  return readValue(reader, type, path);
}

function readNumber(reader: MsgpackReader): BigFloat {
  const kind = reader.peek();
  if (kind === "float") {
    const double = reader.float();
    if (Number.isNaN(double)) throw new MsgpackError("NaN is not a number that HCL has");
    return BigFloat.of(double);
  }
  if (kind !== "string") return BigFloat.of(reader.int());
  const number = BigFloat.parse(reader.string());
  if (number === undefined) throw new MsgpackError("number is required, not other text");
  return number;
}

function readItems(
  reader: MsgpackReader,
  length: number,
  typeAt: (index: number) => Type,
  path: PathStep[],
): readonly Value[] {
  const items: Value[] = [];
  for (let index = 0; index < length; index++) {
    path.push({ index });
    items.push(readValue(reader, typeAt(index), path));
    path.pop();
  }
  return items;
}

function readList(
  reader: MsgpackReader,
  type: Extract<Type, { kind: "list" | "set" }>,
  path: PathStep[],
): Value {
  const items = readItems(reader, reader.array(), () => type.element, path);
  const element = commonType(type.element, items);
  if (type.kind === "set") return { type: setOf(element), data: sortedSet(items) };
  return { type: element === type.element ? type : listOf(element), data: items };
}

function readTuple(reader: MsgpackReader, types: readonly Type[], path: PathStep[]): Value {
  const length = reader.array();
  if (length !== types.length) throw mismatchedSize({ kind: "tuple", elements: types }, length);
  const data = readItems(reader, length, (index) => types[index]!, path);
  return { type: tupleOf(data.map((value) => value.type)), data };
}

function readMap(reader: MsgpackReader, declared: Type, path: PathStep[]): Value {
  const data = new Map<string, Value>();
  for (let left = reader.map(); left > 0; left--) {
    const key = reader.string().normalize("NFC");
    path.push({ key });
    data.set(key, readValue(reader, declared, path));
    path.pop();
  }
  return { type: mapOf(commonType(declared, [...data.values()])), data };
}

function readObject(reader: MsgpackReader, type: ObjectType, path: PathStep[]): Value {
  const length = reader.map();
  if (length !== attributeNames(type).length) throw mismatchedSize(type, length);
  const data = new Map<string, Value>();
  let asDeclared = true;
  for (let left = length; left > 0; left--) {
    const attribute = reader.string();
    path.push({ attribute });
    if (!Object.hasOwn(type.attributes, attribute)) throw new MsgpackError("there is no such attribute");
    if (data.has(attribute)) throw new MsgpackError("the attribute is there twice");
    const declared = type.attributes[attribute]!;
    const value = readValue(reader, declared, path);
    asDeclared &&= value.type === declared || typeEquals(value.type, declared);
    data.set(attribute, value);
    path.pop();
  }
  if (asDeclared) return { type, data };
  return { type: objectOf(Object.fromEntries([...data].map(([name, value]) => [name, value.type]))), data };
}

/** The element type of a collection: the declared one, or for a dynamic one what all elements have. */
function commonType(declared: Type, items: readonly Value[]): Type {
  const [first, ...rest] = items;
  if (first === undefined || first.type === declared) return declared;
  if (rest.every((item) => item.type === first.type || typeEquals(item.type, first.type))) return first.type;
  throw new MsgpackError("all elements must have the same type");
}

function mismatch(type: Type, value?: Value): MsgpackError {
  return new MsgpackError(`${type.kind} is required${value === undefined ? "" : `, not ${value.type.kind}`}`);
}

function mismatchedSize(type: Type, found: number): MsgpackError {
  const size = type.kind === "tuple" ? type.elements.length : attributeNames(type as ObjectType).length;
  const what = type.kind === "tuple" ? "elements" : "attributes";
  return new MsgpackError(`${type.kind} with ${size} ${what} is required, not ${found}`);
}
