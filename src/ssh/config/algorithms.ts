/**
 * @module Which algorithms a connection may use: by default those of OpenSSH 9.9 that `ssh2` has, without SHA-1. Lists are
 * written as in ssh_config(5): `a,b`, `+a`, `-a`, `^a`, with patterns.
 */
import { getCiphers, getHashes } from "node:crypto";
import { glob } from "./patterns.ts";

/** Kinds of algorithms, by the names of the settings. */
export type AlgorithmKind =
  | "hostKeyAlgorithms"
  | "kexAlgorithms"
  | "ciphers"
  | "macs"
  | "pubkeyAcceptedAlgorithms";

/** What a connection may use, each list in the order of preference. */
export interface Algorithms extends Readonly<Record<AlgorithmKind, readonly string[]>> {
  /** Where a list was written that is not the default one: `macs`, `macs in FILE line N`. */
  readonly sources: Readonly<Partial<Record<AlgorithmKind, string>>>;
  /** Methods of compression that may be used, once logged in. */
  readonly compression: readonly string[];
  /** Bits that a key of RSA must have, the host's and the user's. */
  readonly requiredRsaSize: number;
  /** Where that was written: `required_rsa_size`, `required_rsa_size in FILE line N`. */
  readonly rsaSizeSource: string;
}

interface Names {
  readonly safe: readonly string[];
  /** Only for whoever asks for them. */
  readonly weak: readonly string[];
}

const keys: Names = {
  safe: [
    "ssh-ed25519",
    "ecdsa-sha2-nistp256",
    "ecdsa-sha2-nistp384",
    "ecdsa-sha2-nistp521",
    "rsa-sha2-512",
    "rsa-sha2-256",
  ],
  weak: ["ssh-rsa"],
};

/** The quick ones first: `ssh2` has no fast ChaCha20 everywhere. */
const names: Readonly<Record<AlgorithmKind, Names>> = {
  hostKeyAlgorithms: keys,
  pubkeyAcceptedAlgorithms: keys,
  kexAlgorithms: {
    safe: [
      "curve25519-sha256",
      "curve25519-sha256@libssh.org",
      "ecdh-sha2-nistp256",
      "ecdh-sha2-nistp384",
      "ecdh-sha2-nistp521",
      "diffie-hellman-group-exchange-sha256",
      "diffie-hellman-group16-sha512",
      "diffie-hellman-group18-sha512",
      "diffie-hellman-group14-sha256",
    ],
    weak: ["diffie-hellman-group-exchange-sha1", "diffie-hellman-group14-sha1", "diffie-hellman-group1-sha1"],
  },
  ciphers: {
    safe: [
      "aes128-gcm@openssh.com",
      "aes256-gcm@openssh.com",
      "aes128-ctr",
      "aes192-ctr",
      "aes256-ctr",
      "chacha20-poly1305@openssh.com",
    ],
    weak: ["aes256-cbc", "aes192-cbc", "aes128-cbc", "3des-cbc"],
  },
  macs: {
    safe: [
      "hmac-sha2-256-etm@openssh.com",
      "hmac-sha2-512-etm@openssh.com",
      "hmac-sha2-256",
      "hmac-sha2-512",
    ],
    weak: ["hmac-sha1-etm@openssh.com", "hmac-sha1", "hmac-sha1-96", "hmac-md5", "hmac-md5-96"],
  },
};

/** Bits of RSA that are required by default: fewer can be factored by who pays for it. */
export const defaultRsaSize = 2048;

export const algorithmKinds = Object.keys(names) as readonly AlgorithmKind[];

/** The keywords of ssh_config(5), in lower case; the last one is the name that it had before. */
export const keywordsOf = (kind: AlgorithmKind): readonly string[] =>
  kind === "pubkeyAcceptedAlgorithms" ? [kind.toLowerCase(), "pubkeyacceptedkeytypes"] : [kind.toLowerCase()];

/** `kexAlgorithms` as circuits have it: `kex_algorithms`. */
export const settingOf = (kind: AlgorithmKind): string =>
  kind.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Whether only those have it who asked for it. */
export const isWeak = (kind: AlgorithmKind, name: string): boolean => names[kind].weak.includes(name);

/**
 * The algorithms that a list leaves, of those that `ssh2` has on this machine.
 * @param text as in ssh_config(5); names that are not there are passed over
 */
export function algorithmsOf(kind: AlgorithmKind, text: string | undefined): readonly string[] {
  const safe = names[kind].safe.filter(isHere);
  if (text === undefined) return safe;
  const [, sign = "", list = ""] = /^([-+^]?)(.*)$/s.exec(text.trim())!;
  const all = [...safe, ...names[kind].weak.filter(isHere)];
  const named = unique(
    list.split(",").flatMap((pattern) => all.filter((name) => glob(pattern.trim()).test(name))),
  );
  switch (sign) {
    case "+":
      return unique([...safe, ...named]);
    case "-":
      return safe.filter((name) => !named.includes(name));
    case "^":
      return unique([...named, ...safe]);
    default:
      return named;
  }
}

const unique = (list: readonly string[]): readonly string[] => [...new Set(list)];

/** What node calls the ciphers and hashes that may be missing from its OpenSSL, as where FIPS is wanted. */
const opensslNames: Readonly<Record<string, string>> = {
  "aes128-gcm@openssh.com": "aes-128-gcm",
  "aes256-gcm@openssh.com": "aes-256-gcm",
  "chacha20-poly1305@openssh.com": "chacha20",
  "3des-cbc": "des-ede3-cbc",
  "hmac-md5": "md5",
  "hmac-md5-96": "md5",
};

let here: ReadonlySet<string> | undefined;

function isHere(name: string): boolean {
  const openssl = opensslNames[name];
  if (openssl === undefined) return true;
  here ??= new Set([...getCiphers(), ...getHashes()]);
  return here.has(openssl);
}
