/**
 * @module Fresh ed25519 keys in OpenSSH's format.
 */
import ssh2 from "ssh2";

export interface KeyPair {
  /** `ssh-ed25519 AAAA…` */
  readonly public: string;
  readonly private: string;
}

/** A key that `ssh2` can read: about one in two hundred that it makes is malformed. */
export function generateKeyPair(): KeyPair {
  for (;;) {
    const pair = ssh2.utils.generateKeyPairSync("ed25519");
    const readable = [pair.private, pair.public].every(
      (text) => !(ssh2.utils.parseKey(text) instanceof Error),
    );
    if (readable) return { public: pair.public.split(" ").slice(0, 2).join(" "), private: pair.private };
  }
}
