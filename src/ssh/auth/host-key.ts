/**
 * @module Whether a host key is accepted: the login's own `hostKey`, else its `known_hosts` file.
 */

import { createHmac, randomBytes } from "node:crypto";
import { appendFile } from "node:fs/promises";
import { dirname } from "node:path";
import { systemErrorAdvice } from "../../diagnostics/system-error.ts";
import { makeDirectory } from "../../files/make-directory.ts";
import type { ReachedLogin } from "../config/reached-login.ts";
import { HostError } from "../host-error.ts";
import type { Login } from "../login/login.ts";
import { readText } from "../read-text.ts";
import { systemReason } from "../system-reason.ts";
import type { KnownKey } from "./known-hosts.ts";
import {
  certifying,
  fingerprint,
  judgeHostKey,
  keyType,
  knownTypes,
  lookupName,
  parseKnownHosts,
} from "./known-hosts.ts";
import { readRevokedKeys } from "./revoked-keys.ts";
import { rsaBits } from "./rsa-size.ts";

/** What one connection attempt needs to know about host keys. */
export interface HostKeyPolicy {
  /** Key types to ask the host for first. */
  readonly preferred: readonly string[];
  /**
   * Accepts a key, or says why not. At once: while `ssh2` waits for a verdict it takes what the host sends next as if it were
   * positive, and what it sends itself meanwhile it neither holds back nor encrypts with the new keys.
   * @param key in SSH wire form
   */
  judge(key: Buffer): HostError | undefined;
  /**
   * Resolves once a key that was accepted as new is in the file.
   * @throws HostError with code `login_settings`
   */
  recorded(): Promise<void>;
}

/**
 * Key types to ask for, one connection after another until the host shows the key: a fingerprint does not show the type of
 * its key, and a host shows one key only.
 */
export function keyTypeRounds(login: Login): readonly (readonly string[])[] {
  if (!login.hostKey?.trim().startsWith("SHA256:")) return [[]];
  return [
    ["ssh-ed25519"],
    ["ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521"],
    ["ssh-rsa"],
  ];
}

/** Reads what is known about the login's host. A key that is too small is refused, also if it is known. */
export async function hostKeyPolicy(login: ReachedLogin): Promise<HostKeyPolicy> {
  const [policy, revokedKeys] = await Promise.all([
    policyOf(login),
    readRevokedKeys(login, login.revokedKeysFiles),
  ]);
  const judge = (key: Buffer): HostError | undefined => {
    const by = revokedKeys.find((one) => one.key.equals(key));
    return by === undefined ? (tooSmall(login, key) ?? policy.judge(key)) : revoked(login, key, by);
  };
  return { ...policy, judge };
}

async function policyOf(login: ReachedLogin): Promise<HostKeyPolicy> {
  if (login.hostKey !== undefined) return pinned(login, login.hostKey);
  if (login.hostKeyChecking === "off") return { preferred: [], judge: () => undefined, recorded };
  const files = login.knownHostsFiles;
  const name = login.hostKeyAlias ?? lookupName(login.address, login.port);
  const known = await Promise.all(
    files.map(async (path) => parseKnownHosts(await readIfThere(login, path), path)),
  );
  const keys = known.flat();
  let accepted: Buffer | undefined;
  let recording = Promise.resolve();
  return {
    preferred: knownTypes(keys, name),
    judge(key) {
      // Asked again whenever keys are exchanged anew.
      if (accepted?.equals(key)) return undefined;
      const verdict = judgeHostKey(keys, name, key);
      if (verdict.kind === "known") return undefined;
      if (verdict.kind === "changed") return changed(login, key, verdict.known);
      if (verdict.kind === "revoked") return revoked(login, key, verdict.by);
      if (login.hostKeyChecking === "strict") return unknown(login, name, key, keys);
      accepted = key;
      recording = record(login, name, key);
      // Whoever waits for it gets the error.
      recording.catch(() => {});
      return undefined;
    },
    recorded: () => recording,
  };
}

/** Where nothing is. */
const recorded = async (): Promise<void> => {};

/** Only the key (or the fingerprint) that the login names is accepted. */
function pinned(login: Login, hostKey: string): HostKeyPolicy {
  const words = hostKey.trim().split(/\s+/);
  if (words[0] === "") {
    throw new HostError(
      "login_settings",
      login.host,
      `host_key of ${login.host} is empty`,
      "Give the host's key, or leave host_key out: then its known_hosts files count.",
    );
  }
  if (words[0]!.startsWith("SHA256:")) {
    const wanted = words[0]!.replace(/=+$/, "");
    return {
      preferred: [],
      recorded,
      judge: (key) => (fingerprint(key) === wanted ? undefined : notPinned(login, key, wanted)),
    };
  }
  const wanted = Buffer.from(words[1] ?? "", "base64");
  if (keyType(wanted) !== words[0]) {
    throw new HostError(
      "login_settings",
      login.host,
      `host_key of ${login.host} is neither a key nor a fingerprint`,
      'Give it as "ssh-ed25519 AAAA…" (a line of the host\'s /etc/ssh/ssh_host_*_key.pub) or as "SHA256:…".',
    );
  }
  return {
    preferred: [words[0]],
    recorded,
    judge: (key) => (key.equals(wanted) ? undefined : notPinned(login, key, fingerprint(wanted))),
  };
}

function tooSmall(login: ReachedLogin, key: Buffer): HostError | undefined {
  const { requiredRsaSize } = login.algorithms;
  const bits = rsaBits(key);
  if (bits === undefined || bits >= requiredRsaSize) return undefined;
  return new HostError(
    "algorithms",
    login.host,
    `the host key of ${login.host}, ${fingerprint(key)}, is one of RSA with ${bits} bits: ${requiredRsaSize} are required`,
    `Somebody may have found out its secret part. Make new keys on the host ("ssh-keygen -A" after moving /etc/ssh/ssh_host_rsa_key away). Until then, required_rsa_size = ${Math.max(1024, bits)} in the ssh block of this host accepts it.`,
  );
}

function notPinned(login: Login, key: Buffer, wanted: string): HostError {
  return new HostError(
    "host_key_changed",
    login.host,
    `${login.host} showed the host key ${fingerprint(key)}, but host_key says ${wanted}`,
    "If the host was installed anew, check its key on the host itself and change host_key. Otherwise somebody may be in between.",
  );
}

function changed(login: Login, key: Buffer, known: readonly KnownKey[]): HostError {
  const first = known[0]!;
  return new HostError(
    "host_key_changed",
    login.host,
    `${login.host} showed the host key ${fingerprint(key)} (${keyType(key)}), but ${fingerprint(first.key)} (${first.type}) is known in ${first.file} line ${first.line}`,
    `If the host was installed anew, check the new key on the host itself and remove line ${known
      .map((k) => k.line)
      .join(", ")} of ${first.file}. Otherwise somebody may be in between.`,
  );
}

function revoked(login: Login, key: Buffer, by: Pick<KnownKey, "file" | "line">): HostError {
  return new HostError(
    "host_key_changed",
    login.host,
    `${login.host} showed the host key ${fingerprint(key)}, which ${by.file} line ${by.line} revokes`,
    "A revoked key is never accepted: the host needs a new one.",
  );
}

function unknown(login: ReachedLogin, name: string, key: Buffer, keys: readonly KnownKey[]): HostError {
  const file = login.knownHostsFiles[0];
  const authority = certifying(keys, name);
  const add =
    file === undefined
      ? "No known_hosts file is in use: set known_hosts_file or host_key."
      : [
          `Compare the fingerprint with "ssh-keygen -lf" on the host, then add this line to ${file}:`,
          `    ${name} ${keyType(key)} ${key.toString("base64")}`,
          'Or set host_key, or host_key_checking = "accept-new".',
        ].join("\n");
  return new HostError(
    "host_key_unknown",
    login.host,
    `the host key of ${login.host} is not known: ${fingerprint(key)} (${keyType(key)})`,
    authority === undefined
      ? add
      : `${authority.file} line ${authority.line} has an authority for this host: certificates need transport = "openssh".\n${add}`,
  );
}

/** Appends with one write, so that many hosts recorded side by side do not mix. */
async function record(login: ReachedLogin, name: string, key: Buffer): Promise<void> {
  const file = login.knownHostsFiles[0];
  if (file === undefined) return;
  const text = await readIfThere(login, file);
  const glue = text === "" || text.endsWith("\n") ? "" : "\n";
  const names = login.hashKnownHosts ? hashed(name) : name;
  try {
    makeDirectory(dirname(file), 0o700);
    await appendFile(file, `${glue}${names} ${keyType(key)} ${key.toString("base64")}\n`, { mode: 0o600 });
  } catch (error) {
    throw new HostError(
      "login_settings",
      login.host,
      `the key of ${login.host} cannot be recorded in ${file}: ${systemReason(error)}`,
      systemErrorAdvice(error),
    );
  }
}

/** A name that can be recognised and not read: sshd(8), "SSH_KNOWN_HOSTS FILE FORMAT". */
function hashed(name: string): string {
  const salt = randomBytes(20);
  return `|1|${salt.toString("base64")}|${createHmac("sha1", salt).update(name).digest("base64")}`;
}

async function readIfThere(login: Login, file: string): Promise<string> {
  try {
    return await readText(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw new HostError(
      "login_settings",
      login.host,
      `the known hosts file ${file} cannot be read: ${systemReason(error)}`,
      systemErrorAdvice(error),
    );
  }
}
