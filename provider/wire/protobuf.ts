/**
 * @module A small Protocol Buffers (proto3) codec: messages are declared as tables of numbered fields, and the
 * TypeScript type of a message follows from its table.
 *
 * ```ts
 * const step = message({ name: field(1, string), index: field(2, optional(int64)) });
 * type Step = MessageOf<typeof step>; // { name: string; index: number | undefined }
 * step.decode(step.encode({ name: "a", index: 0 }));
 * ```
 *
 * Fields that are not in a table are skipped when read, as the format demands, so a table holds what is used only.
 * Source: Protocol Buffers encoding, https://protobuf.dev/programming-guides/encoding/.
 */
import { ProtobufReader, type WireType } from "./protobuf-reader.ts";
import { ProtobufWriter } from "./protobuf-writer.ts";

/** How the values of one field travel. Methods, so that a table may hold fields of any type. */
export interface FieldType<T> {
  /** What a message that does not have the field is read as. */
  absent(): T;
  /** Writes nothing for a value that is the same as absent. */
  write(writer: ProtobufWriter, number: number, value: T): void;
  /** @param before what this field held already: a repeated field comes item by item */
  read(reader: ProtobufReader, wire: WireType, before: T): T;
}

export interface Field<T> {
  readonly number: number;
  readonly type: FieldType<T>;
}

/** Methods, so that a list may hold messages of any type. */
export interface Message<T> {
  encode(value: T): Buffer;
  /** @throws ProtobufError when the bytes are not a message */
  decode(bytes: Uint8Array): T;
}

/** The value type of a message. */
export type MessageOf<M> = M extends Message<infer T> ? T : never;

export const field = <T>(number: number, type: FieldType<T>): Field<T> => ({ number, type });

type Fields = { readonly [name: string]: Field<unknown> };
type Values<F extends Fields> = { readonly [K in keyof F]: F[K] extends Field<infer T> ? T : never };

/** Declares a message. Fields are written in the order of the table. */
export function message<F extends Fields>(fields: F): Message<Values<F>> {
  const table = Object.entries(fields);
  const byNumber = new Map(table.map(([name, { number, type }]) => [number, { name, type }]));
  return {
    encode(value) {
      const writer = new ProtobufWriter();
      const values = value as Readonly<Record<string, unknown>>;
      for (const [name, { number, type }] of table) type.write(writer, number, values[name]);
      return writer.bytes();
    },
    decode(bytes) {
      const reader = new ProtobufReader(bytes);
      const values: Record<string, unknown> = {};
      for (const [name, { type }] of table) values[name] = type.absent();
      while (!reader.done) {
        const { number, wire } = reader.tag();
        const known = byNumber.get(number);
        if (known === undefined) reader.skip(wire);
        else values[known.name] = known.type.read(reader, wire, values[known.name]);
      }
      return values as Values<F>;
    },
  };
}

export const string: FieldType<string> = {
  absent: () => "",
  write: (writer, number, value) => {
    if (value !== "") writer.delimited(number, Buffer.from(value, "utf8"));
  },
  read: (reader, wire) => reader.delimited(wire).toString("utf8"),
};

const noBytes = Buffer.alloc(0);

export const bytes: FieldType<Uint8Array> = {
  absent: () => noBytes,
  write: (writer, number, value) => {
    if (value.length > 0) writer.delimited(number, value);
  },
  read: (reader, wire) => reader.delimited(wire),
};

export const bool: FieldType<boolean> = {
  absent: () => false,
  write: (writer, number, value) => {
    if (value) writer.varint(number, 1);
  },
  read: (reader, wire) => reader.varint(wire) !== 0n,
};

/** A signed integer. Values beyond ±2^53 lose precision: nothing of the protocol goes there. */
export const int64: FieldType<number> = {
  absent: () => 0,
  write: (writer, number, value) => {
    if (value !== 0) writer.varint(number, value);
  },
  read: (reader, wire) => Number(BigInt.asIntN(64, reader.varint(wire))),
};

/** An enumeration, as its number. */
export const enumeration = int64;

/** A field that distinguishes "absent" from its zero value: `optional`, a member of a `oneof`. */
export function optional<T>(type: FieldType<T>): FieldType<T | undefined> {
  return {
    absent: () => undefined,
    write: (writer, number, value) => {
      if (value === undefined) return;
      const before = writer.length;
      type.write(writer, number, value);
      // A zero value, which a plain field leaves out.
      if (writer.length === before) {
        if (typeof value === "number" || typeof value === "boolean") writer.varint(number, 0);
        else writer.delimited(number, noBytes);
      }
    },
    read: (reader, wire) => type.read(reader, wire, type.absent()),
  };
}

/** A message inside a message; undefined when it is not there. A thunk, so that messages may hold each other. */
export function nested<T>(type: () => Message<T>): FieldType<T | undefined> {
  return {
    absent: () => undefined,
    write: (writer, number, value) => {
      if (value !== undefined) writer.delimited(number, type().encode(value));
    },
    read: (reader, wire) => type().decode(reader.delimited(wire)),
  };
}

/** Any number of messages. */
export function repeated<T>(type: () => Message<T>): FieldType<readonly T[]> {
  return {
    absent: () => [],
    write: (writer, number, values) => {
      for (const value of values) writer.delimited(number, type().encode(value));
    },
    read: (reader, wire, before) => {
      // The array is this decoding's own until the message is handed out.
      (before as T[]).push(type().decode(reader.delimited(wire)));
      return before;
    },
  };
}

/** A map with string keys: on the wire, repeated messages of key (1) and value (2). */
export function mapOf<T>(type: () => Message<T>): FieldType<ReadonlyMap<string, T>> {
  const entry = message({ key: field(1, string), value: field(2, nested(type)) });
  return {
    absent: () => new Map(),
    write: (writer, number, values) => {
      for (const [key, value] of values) writer.delimited(number, entry.encode({ key, value }));
    },
    read: (reader, wire, before) => {
      const { key, value } = entry.decode(reader.delimited(wire));
      (before as Map<string, T>).set(key, value ?? type().decode(noBytes));
      return before;
    },
  };
}
