/**
 * @module A large text as bytes, made part by part: as one string it would be in memory several times over.
 */
import { createHash } from "node:crypto";

export interface EncodedText {
  readonly bytes: readonly Uint8Array[];
  /** SHA-256 of all bytes. */
  readonly hash: string;
}

/** Characters that are encoded together. */
const batch = 1 << 18;

export function encoded(parts: Iterable<string>): EncodedText {
  const hash = createHash("sha256");
  const bytes: Uint8Array[] = [];
  let waiting: string[] = [];
  let length = 0;
  const encode = (): void => {
    const next = Buffer.from(waiting.join(""));
    hash.update(next);
    bytes.push(next);
    waiting = [];
    length = 0;
  };
  for (const part of parts) {
    waiting.push(part);
    length += part.length;
    if (length >= batch) encode();
  }
  encode();
  return { bytes, hash: hash.digest("hex") };
}
