/**
 * @module As much of ASN.1's Distinguished Encoding Rules as a certificate needs (ITU-T X.690).
 */

/** An element: one byte of tag, the length, the content. */
export function element(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([Buffer.from([tag]), length(body.length), body]);
}

/** Short form below 128, else the bytes of the length with their number before them. */
function length(size: number): Buffer {
  if (size < 0x80) return Buffer.from([size]);
  const hex = size.toString(16);
  const bytes = Buffer.from(hex.padStart(hex.length + (hex.length % 2), "0"), "hex");
  return Buffer.concat([Buffer.from([0x80 | bytes.length]), bytes]);
}

export const sequence = (...items: readonly Uint8Array[]): Buffer => element(0x30, ...items);
export const set = (...items: readonly Uint8Array[]): Buffer => element(0x31, ...items);
export const octetString = (content: Uint8Array): Buffer => element(0x04, content);
export const utf8String = (text: string): Buffer => element(0x0c, Buffer.from(text, "utf8"));
export const boolean = (value: boolean): Buffer => element(0x01, Buffer.from([value ? 0xff : 0]));

/** A tag of the surrounding structure's own, `[number]`, around other elements. */
export const explicit = (number: number, ...items: readonly Uint8Array[]): Buffer =>
  element(0xa0 | number, ...items);

/** A tag of the surrounding structure's own instead of a primitive element's tag. */
export const implicit = (number: number, content: Uint8Array): Buffer => element(0x80 | number, content);

/** @param bytes big-endian, not negative */
export function integer(bytes: Uint8Array): Buffer {
  let start = 0;
  while (start < bytes.length - 1 && bytes[start] === 0) start++;
  const digits = bytes.subarray(start);
  // A first bit that is set would make it negative.
  return digits[0]! >= 0x80 ? element(0x02, Buffer.from([0]), digits) : element(0x02, digits);
}

/** @param unused bits of the last byte that do not count */
export const bitString = (content: Uint8Array, unused = 0): Buffer =>
  element(0x03, Buffer.from([unused]), content);

/** @param dotted for example `2.5.29.17` */
export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  return element(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(value: number): number[] {
  const bytes = [value & 0x7f];
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) bytes.unshift((rest & 0x7f) | 0x80);
  return bytes;
}

/** GeneralizedTime, which has seconds and ends with Z: years before 2050 must use {@link utcTime} in a certificate. */
export const generalizedTime = (time: Date): Buffer => element(0x18, Buffer.from(digitsOf(time)));

/** UTCTime, whose year has two digits: 1950 to 2049. */
export const utcTime = (time: Date): Buffer => element(0x17, Buffer.from(digitsOf(time).slice(2)));

const digitsOf = (time: Date): string => `${time.toISOString().slice(0, 19).replace(/[-:T]/g, "")}Z`;
