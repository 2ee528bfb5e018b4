/**
 * @module RSA keys and the signatures that they make (RFC 8332). `ssh2` chooses one by what a host says that it knows: SHA-1
 * where it says nothing, and one that it does not accept where it says too much (OpenSSH before 9.4 lists all it has). So
 * each is offered by itself.
 */
import type { ParsedKey } from "ssh2";

const originals = new WeakMap<ParsedKey, { readonly key: ParsedKey; readonly hash: RsaHash }>();

type RsaHash = "sha256" | "sha512";

const hashes: Readonly<Record<string, RsaHash>> = { "rsa-sha2-512": "sha512", "rsa-sha2-256": "sha256" };

const isRsa = ({ type }: ParsedKey): boolean => type === "ssh-rsa";

/**
 * The key once for each signature that it may make, in the order of `accepted`.
 * @param accepted algorithms, by their names in the protocol
 */
export function signingAs(key: ParsedKey, accepted: readonly string[]): readonly ParsedKey[] {
  if (!isRsa(key)) return accepted.includes(key.type) ? [key] : [];
  return accepted.flatMap((algorithm) => {
    const hash = hashes[algorithm];
    if (hash !== undefined) return [bySha2(key, algorithm, hash)];
    return algorithm === "ssh-rsa" ? [key] : [];
  });
}

function bySha2(key: ParsedKey, algorithm: string, hash: RsaHash): ParsedKey {
  // Named so, `ssh2` takes it for a type of its own and does not choose.
  const other = Object.create(key, {
    type: { value: algorithm },
    sign: { value: (data: Buffer | string) => key.sign(data, hash) },
  }) as ParsedKey;
  originals.set(other, { key, hash });
  return other;
}

/** The key and the hash that stand behind one of {@link signingAs}; undefined for keys as they are. */
export const originalOf = (key: ParsedKey): { readonly key: ParsedKey; readonly hash: RsaHash } | undefined =>
  originals.get(key);
