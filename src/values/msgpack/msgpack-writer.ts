/**
 * @module Writes MessagePack, always in the shortest form of each item (specification: msgpack spec, 2017).
 */

/** Grows as it is written to; {@link MsgpackWriter.bytes} ends it. */
export class MsgpackWriter {
  #buffer: Buffer;
  #length = 0;

  /** @param capacity bytes to start with */
  constructor(capacity = 1024) {
    this.#buffer = Buffer.allocUnsafe(capacity);
  }

  /** What was written, as a view: valid until something more is written. */
  bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#length);
  }

  nil(): void {
    this.#byte(0xc0);
  }

  bool(value: boolean): void {
    this.#byte(value ? 0xc3 : 0xc2);
  }

  /** @param value from -2^63 to 2^63 - 1 */
  int(value: number | bigint): void {
    if (value >= 0) this.#unsigned(value);
    else this.#negative(value);
  }

  #unsigned(value: number | bigint): void {
    if (value <= 0x7f) this.#byte(Number(value));
    else if (value <= 0xff) this.#head8(0xcc, Number(value));
    else if (value <= 0xffff) this.#head16(0xcd, Number(value));
    else if (value <= 0xffff_ffff) this.#head32(0xce, Number(value));
    else this.#head64(0xcf, BigInt(value));
  }

  /** Writes a negative integer as two's complement. */
  #negative(value: number | bigint): void {
    if (value >= -0x20) this.#byte(0x100 + Number(value));
    else if (value >= -0x80) this.#head8(0xd0, 0x100 + Number(value));
    else if (value >= -0x8000) this.#head16(0xd1, 0x1_0000 + Number(value));
    else if (value >= -0x8000_0000) this.#head32(0xd2, 0x1_0000_0000 + Number(value));
    else this.#head64(0xd3, BigInt.asUintN(64, BigInt(value)));
  }

  double(value: number): void {
    this.#byte(0xcb);
    this.#room(8);
    this.#length = this.#buffer.writeDoubleBE(value, this.#length);
  }

  string(text: string): void {
    const length = Buffer.byteLength(text);
    if (length < 0x20) this.#byte(0xa0 | length);
    else if (length <= 0xff) this.#head8(0xd9, length);
    else if (length <= 0xffff) this.#head16(0xda, length);
    else this.#head32(0xdb, length);
    this.#room(length);
    this.#length += this.#buffer.write(text, this.#length);
  }

  binary(bytes: Uint8Array): void {
    if (bytes.length <= 0xff) this.#head8(0xc4, bytes.length);
    else if (bytes.length <= 0xffff) this.#head16(0xc5, bytes.length);
    else this.#head32(0xc6, bytes.length);
    this.#raw(bytes);
  }

  /** The head of an array; its items follow. */
  array(length: number): void {
    if (length < 0x10) this.#byte(0x90 | length);
    else if (length <= 0xffff) this.#head16(0xdc, length);
    else this.#head32(0xdd, length);
  }

  /** The head of a map; its keys and values follow by turns. */
  map(length: number): void {
    if (length < 0x10) this.#byte(0x80 | length);
    else if (length <= 0xffff) this.#head16(0xde, length);
    else this.#head32(0xdf, length);
  }

  /** An extension item of at most 65,535 bytes. */
  extension(type: number, body: Uint8Array): void {
    const fixed = [1, 2, 4, 8, 16].indexOf(body.length);
    if (fixed !== -1) this.#byte(0xd4 + fixed);
    else if (body.length <= 0xff) this.#head8(0xc7, body.length);
    else this.#head16(0xc8, body.length);
    this.#byte(type);
    this.#raw(body);
  }

  #raw(bytes: Uint8Array): void {
    this.#room(bytes.length);
    this.#buffer.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  #byte(value: number): void {
    this.#room(1);
    this.#buffer[this.#length++] = value;
  }

  #head8(code: number, value: number): void {
    this.#room(2);
    this.#buffer[this.#length++] = code;
    this.#buffer[this.#length++] = value;
  }

  #head16(code: number, value: number): void {
    this.#room(3);
    this.#buffer[this.#length] = code;
    this.#length = this.#buffer.writeUInt16BE(value, this.#length + 1);
  }

  #head32(code: number, value: number): void {
    this.#room(5);
    this.#buffer[this.#length] = code;
    this.#length = this.#buffer.writeUInt32BE(value, this.#length + 1);
  }

  #head64(code: number, value: bigint): void {
    this.#room(9);
    this.#buffer[this.#length] = code;
    this.#length = this.#buffer.writeBigUInt64BE(value, this.#length + 1);
  }

  /** Makes room for so many more bytes. */
  #room(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#buffer.length * 2));
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }
}
