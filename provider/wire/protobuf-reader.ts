/**
 * @module Reads the fields of one Protocol Buffers message.
 */

import { PlainError } from "../../src/diagnostics/unexpected-error.ts";

/** Bytes that are not a message, or a field of another wire type than declared. */
export class ProtobufError extends PlainError {
  override readonly name = "ProtobufError";
}

/** 0 varint, 1 eight bytes, 2 length-delimited, 5 four bytes. The group types 3 and 4 are not used by proto3. */
export type WireType = 0 | 1 | 2 | 5;

/** A position in a message. All methods throw {@link ProtobufError}. */
export class ProtobufReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get done(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** The next field's number and wire type. */
  tag(): { readonly number: number; readonly wire: WireType } {
    const tag = Number(this.#varint());
    const wire = tag % 8;
    if (wire !== 0 && wire !== 1 && wire !== 2 && wire !== 5)
      throw new ProtobufError(`wire type ${wire} is not used`);
    return { number: Math.floor(tag / 8), wire };
  }

  /** 64 bits, unsigned. */
  varint(wire: WireType): bigint {
    expect(wire, 0);
    return this.#varint();
  }

  /** A view of the message's own bytes. */
  delimited(wire: WireType): Buffer {
    expect(wire, 2);
    return this.#take(Number(this.#varint()));
  }

  skip(wire: WireType): void {
    if (wire === 0) this.#varint();
    else this.#take(wire === 1 ? 8 : wire === 5 ? 4 : Number(this.#varint()));
  }

  #varint(): bigint {
    const first = this.#bytes[this.#at];
    if (first !== undefined && first < 0x80) {
      this.#at++;
      return BigInt(first);
    }
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw new ProtobufError("the message ends too early");
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw new ProtobufError("a varint has more than ten bytes");
  }

  #take(length: number): Buffer {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new ProtobufError("the message ends too early");
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }
}

function expect(found: WireType, wanted: WireType): void {
  if (found !== wanted) throw new ProtobufError(`a field has wire type ${found} instead of ${wanted}`);
}
