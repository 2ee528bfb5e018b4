/**
 * @module `known_hosts` files as OpenSSH reads them (sshd(8), "SSH_KNOWN_HOSTS FILE FORMAT"), and what a host key counts
 * as against them. Pure.
 */
import { createHash, createHmac } from "node:crypto";
import { matchesPatterns } from "../config/patterns.ts";

/** One line of the file that holds a key. */
export interface KnownKey {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly marker?: "revoked" | "cert-authority";
  /** The field of names and patterns, as written. */
  readonly hosts: string;
  readonly type: string;
  /** The key in SSH wire form (RFC 4253, 6.6). */
  readonly key: Buffer;
}

export type Verdict =
  | { readonly kind: "known" }
  | { readonly kind: "unknown" }
  /** The host has other keys in the file; those of the same type come first. */
  | { readonly kind: "changed"; readonly known: readonly KnownKey[] }
  | { readonly kind: "revoked"; readonly by: KnownKey };

/** The keys of a file; lines that cannot be read are skipped, as OpenSSH does. */
export function parseKnownHosts(text: string, file: string): readonly KnownKey[] {
  return text.split("\n").flatMap((raw, index): KnownKey[] => {
    const fields = raw.trim().split(/[ \t]+/);
    if (fields[0] === "" || fields[0]!.startsWith("#")) return [];
    const marker = fields[0]!.startsWith("@") ? fields.shift()!.slice(1) : undefined;
    if (marker !== undefined && marker !== "revoked" && marker !== "cert-authority") return [];
    const [hosts, type, encoded] = fields;
    if (!hosts || !type || !encoded) return [];
    const key = Buffer.from(encoded, "base64");
    if (keyType(key) !== type) return [];
    return [{ file, line: index + 1, ...(marker && { marker }), hosts, type, key }];
  });
}

/** The name a host is looked up by: bare for port 22, else `[name]:port`. */
export function lookupName(address: string, port: number): string {
  const name = address.toLowerCase();
  return port === 22 ? name : `[${name}]:${port}`;
}

/** What `key` counts as for the host called `name` (see {@link lookupName}). */
export function judgeHostKey(keys: readonly KnownKey[], name: string, key: Buffer): Verdict {
  const ofHost = keys.filter((known) => matchesName(known.hosts, name));
  const revoked = ofHost.find((known) => known.marker === "revoked" && known.key.equals(key));
  if (revoked) return { kind: "revoked", by: revoked };
  const plain = ofHost.filter((known) => known.marker === undefined);
  if (plain.some((known) => known.key.equals(key))) return { kind: "known" };
  if (plain.length === 0) return { kind: "unknown" };
  const type = keyType(key);
  const sameFirst = [...plain.filter((k) => k.type === type), ...plain.filter((k) => k.type !== type)];
  return { kind: "changed", known: sameFirst };
}

/** Types of the keys that are known for `name`, to ask the host for these. */
export function knownTypes(keys: readonly KnownKey[], name: string): readonly string[] {
  const plain = keys.filter((known) => known.marker === undefined && matchesName(known.hosts, name));
  return [...new Set(plain.map((known) => known.type))];
}

/** The first authority that may vouch for the host called `name`. */
export function certifying(keys: readonly KnownKey[], name: string): KnownKey | undefined {
  return keys.find((known) => known.marker === "cert-authority" && matchesName(known.hosts, name));
}

/** `SHA256:…` without padding, as `ssh-keygen -l` prints it. */
export function fingerprint(key: Buffer): string {
  return `SHA256:${createHash("sha256").update(key).digest("base64").replace(/=+$/, "")}`;
}

/** The type that a key in wire form names itself, or `""`. */
export function keyType(key: Buffer): string {
  if (key.length < 4) return "";
  const length = key.readUInt32BE(0);
  return length + 4 <= key.length ? key.toString("latin1", 4, 4 + length) : "";
}

/** A hashed name, or a comma list of patterns of which none may be a matching `!` one. */
function matchesName(hosts: string, name: string): boolean {
  if (hosts.startsWith("|1|")) {
    const [, , salt = "", hash = ""] = hosts.split("|");
    const expected = createHmac("sha1", Buffer.from(salt, "base64")).update(name).digest();
    return expected.equals(Buffer.from(hash, "base64"));
  }
  return matchesPatterns(hosts.toLowerCase().split(","), name);
}
