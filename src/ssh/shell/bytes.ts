/**
 * @module Bytes that come piece by piece, kept in one piece: a host may send them one at a time, and each piece would hold
 * on to the packet that it came in.
 */

export interface Bytes {
  add(piece: Buffer): void;
  size(): number;
  /** All that was added, for now. */
  peek(): Buffer;
  /** All that was added, and starts anew. */
  take(): Buffer;
}

/** Bytes to begin with. */
const smallest = 256;

export function createBytes(): Bytes {
  let buffer: Buffer = Buffer.alloc(0);
  let length = 0;
  const peek = (): Buffer => buffer.subarray(0, length);
  return {
    add(piece) {
      if (length + piece.length > buffer.length) {
        const larger = Buffer.allocUnsafe(Math.max(smallest, 2 * buffer.length, length + piece.length));
        buffer.copy(larger, 0, 0, length);
        buffer = larger;
      }
      piece.copy(buffer, length);
      length += piece.length;
    },
    size: () => length,
    peek,
    take() {
      const all = peek();
      buffer = Buffer.alloc(0);
      length = 0;
      return all;
    },
  };
}
