/**
 * @module Writes the fields of one Protocol Buffers message.
 */

/** Collects the parts of a message; {@link ProtobufWriter.bytes} joins them once. */
export class ProtobufWriter {
  readonly #parts: Uint8Array[] = [];
  #length = 0;

  /** Bytes written so far. */
  get length(): number {
    return this.#length;
  }

  bytes(): Buffer {
    return Buffer.concat(this.#parts, this.#length);
  }

  /** @param value negative ones become the ten bytes of their two's complement */
  varint(number: number, value: number): void {
    this.#add(varintBytes(number * 8));
    this.#add(varintBytes(value));
  }

  delimited(number: number, body: Uint8Array): void {
    this.#add(varintBytes(number * 8 + 2));
    this.#add(varintBytes(body.length));
    this.#add(body);
  }

  #add(part: Uint8Array): void {
    this.#parts.push(part);
    this.#length += part.length;
  }
}

/** Most tags and lengths fit one byte. */
const singleBytes = Array.from({ length: 0x80 }, (_, value) => Uint8Array.of(value));

function varintBytes(value: number): Uint8Array {
  const single = singleBytes[value];
  if (single !== undefined) return single;
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  while (rest > 0x7fn) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Uint8Array.from(bytes);
}
