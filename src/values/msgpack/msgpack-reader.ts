/**
 * @module Reads MessagePack item by item, as the caller's schema asks for them (specification: msgpack spec, 2017).
 */

/** Bytes that are not MessagePack, or another item than the one that was asked for. */
export class MsgpackError extends Error {
  override readonly name = "MsgpackError";
}

/** The kind of an item, which its first byte says. */
export type MsgpackKind =
  | "nil"
  | "bool"
  | "int"
  | "float"
  | "string"
  | "binary"
  | "array"
  | "map"
  | "extension";

/** By first byte, for those from 0xc0 to 0xdf. */
const kinds: readonly (MsgpackKind | undefined)[] = [
  "nil",
  undefined,
  "bool",
  "bool",
  ...Array<MsgpackKind>(3).fill("binary"),
  ...Array<MsgpackKind>(3).fill("extension"),
  "float",
  "float",
  ...Array<MsgpackKind>(8).fill("int"),
  ...Array<MsgpackKind>(5).fill("extension"),
  ...Array<MsgpackKind>(3).fill("string"),
  "array",
  "array",
  "map",
  "map",
];

/** A position in bytes. Every method reads one item and moves behind it; all throw {@link MsgpackError}. */
export class MsgpackReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get done(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** What the next item is; reads nothing. */
  peek(): MsgpackKind {
    const code = this.#bytes[this.#at];
    if (code === undefined) throw new MsgpackError("the value ends too early");
    if (code < 0x80 || code >= 0xe0) return "int";
    if (code < 0x90) return "map";
    if (code < 0xa0) return "array";
    if (code < 0xc0) return "string";
    const kind = kinds[code - 0xc0];
    if (kind === undefined) throw new MsgpackError(`no item begins with the byte 0x${code.toString(16)}`);
    return kind;
  }

  nil(): void {
    this.#expect("nil");
    this.#at++;
  }

  bool(): boolean {
    this.#expect("bool");
    return this.#bytes[this.#at++] === 0xc3;
  }

  /** An integer of up to 64 bits; a bigint where a number would not hold it exactly. */
  int(): number | bigint {
    this.#expect("int");
    const code = this.#bytes[this.#at++]!;
    if (code < 0x80) return code;
    if (code >= 0xe0) return code - 0x100;
    switch (code) {
      case 0xcc:
        return this.#uint(1);
      case 0xcd:
        return this.#uint(2);
      case 0xce:
        return this.#uint(4);
      case 0xcf:
        return narrow(this.#take(8).readBigUInt64BE());
      case 0xd0:
        return this.#take(1).readInt8();
      case 0xd1:
        return this.#take(2).readInt16BE();
      case 0xd2:
        return this.#take(4).readInt32BE();
      default:
        return narrow(this.#take(8).readBigInt64BE());
    }
  }

  float(): number {
    this.#expect("float");
    return this.#bytes[this.#at++] === 0xca ? this.#take(4).readFloatBE() : this.#take(8).readDoubleBE();
  }

  string(): string {
    this.#expect("string");
    return this.#take(this.#textLength()).toString("utf8");
  }

  /** Bytes; a string gives its bytes too, as older writers have no other form for them. */
  binary(): Buffer {
    if (this.peek() === "string") return this.#take(this.#textLength());
    this.#expect("binary");
    return this.#take(this.#uint(2 ** (this.#bytes[this.#at++]! - 0xc4)));
  }

  /** The head of an array: the number of its items. */
  array(): number {
    this.#expect("array");
    const code = this.#bytes[this.#at++]!;
    return code < 0xa0 ? code & 0x0f : this.#uint(code === 0xdc ? 2 : 4);
  }

  /** The head of a map: the number of its entries. */
  map(): number {
    this.#expect("map");
    const code = this.#bytes[this.#at++]!;
    return code < 0x90 ? code & 0x0f : this.#uint(code === 0xde ? 2 : 4);
  }

  extension(): { readonly type: number; readonly body: Buffer } {
    this.#expect("extension");
    const code = this.#bytes[this.#at++]!;
    const length = code >= 0xd4 ? 2 ** (code - 0xd4) : this.#uint(2 ** (code - 0xc7));
    const type = this.#take(1).readInt8();
    return { type, body: this.#take(length) };
  }

  /** Moves behind the next item, whatever it is. */
  skip(): void {
    switch (this.peek()) {
      case "array":
        for (let left = this.array(); left > 0; left--) this.skip();
        break;
      case "map":
        for (let left = this.map() * 2; left > 0; left--) this.skip();
        break;
      case "int":
        this.int();
        break;
      case "float":
        this.float();
        break;
      case "extension":
        this.extension();
        break;
      case "string":
      case "binary":
        this.binary();
        break;
      default:
        this.#at++;
    }
  }

  #textLength(): number {
    const code = this.#bytes[this.#at++]!;
    return code < 0xc0 ? code & 0x1f : this.#uint(2 ** (code - 0xd9));
  }

  #expect(kind: MsgpackKind): void {
    const found = this.peek();
    if (found !== kind) throw new MsgpackError(`${kind} is required, not ${found}`);
  }

  #uint(bytes: number): number {
    return this.#take(bytes).readUIntBE(0, bytes);
  }

  #take(length: number): Buffer {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new MsgpackError("the value ends too early");
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }
}

function narrow(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}
