/**
 * @module Hashes that show whether a secret is still the same, and from which a short one cannot be guessed in good
 * time: scrypt (RFC 7914) with a salt.
 */
import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";

/** 16 MiB and some 30 ms for each guess. */
const cost = { N: 2 ** 14, r: 8, p: 1 };
const bytes = 32;

export interface SlowHashes {
  /** A hash to be stored. */
  readonly of: (text: string) => Promise<string>;
  /** Whether a stored hash is that of the text; false for what is no such hash. */
  readonly matches: (stored: string, text: string) => Promise<boolean>;
}

/**
 * New hashes have one salt in common, and what was worked out is kept in memory as long as this lives: a secret that a
 * thousand hosts share costs one hash, not a thousand.
 */
export function createSlowHashes(): SlowHashes {
  const salt = randomBytes(16);
  const known = new Map<string, Promise<Buffer>>();
  const hash = (text: string, own: Buffer): Promise<Buffer> => {
    const key = `${own.toString("base64")} ${text}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const now = derive(text, own);
    known.set(key, now);
    return now;
  };
  return {
    of: async (text) =>
      ["scrypt", salt.toString("base64"), (await hash(text, salt)).toString("base64")].join(":"),
    async matches(stored, text) {
      const [name, own, wanted] = stored.split(":");
      if (name !== "scrypt" || own === undefined || wanted === undefined) return false;
      const expected = Buffer.from(wanted, "base64");
      return (
        expected.length === bytes && timingSafeEqual(expected, await hash(text, Buffer.from(own, "base64")))
      );
    },
  };
}

const derive = (text: string, salt: Buffer): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    scrypt(text, salt, bytes, cost, (error, key) => (error === null ? resolve(key) : reject(error)));
  });
