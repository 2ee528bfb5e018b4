/**
 * @module RSA keys on hosts that take only one of the two signatures of RFC 8332. `ssh2` makes one with SHA-256 wherever a
 * host says that it knows it, and a host may say so of one that it does not accept (OpenSSH before 9.4 lists all it has).
 */
import type { ParsedKey } from "ssh2";

const originals = new WeakMap<ParsedKey, ParsedKey>();

export const isRsa = ({ type }: ParsedKey): boolean => type === "ssh-rsa";

/**
 * The same key as one that signs with SHA-512 only.
 * @param key for which {@link isRsa} is true
 */
export function bySha512(key: ParsedKey): ParsedKey {
  // Named so, `ssh2` takes it for a type of its own and does not choose.
  const other = Object.create(key, {
    type: { value: "rsa-sha2-512" },
    sign: { value: (data: Buffer | string) => key.sign(data, "sha512") },
  }) as ParsedKey;
  originals.set(other, key);
  return other;
}

/** The key that {@link bySha512} was given; undefined for others. */
export const originalOf = (key: ParsedKey): ParsedKey | undefined => originals.get(key);
