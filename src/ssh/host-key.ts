/**
 * @module Whether a host key is accepted: the login's own `hostKey`, else its `known_hosts` file.
 */
import { appendFile, mkdir, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { HostError } from "./host-error.ts";
import type { KnownKey } from "./known-hosts.ts";
import {
  fingerprint,
  judgeHostKey,
  keyType,
  knownTypes,
  lookupName,
  parseKnownHosts,
} from "./known-hosts.ts";
import type { Login } from "./login.ts";
import { expandHome } from "./resolve-login.ts";

/** The files of ssh_config(5), UserKnownHostsFile and GlobalKnownHostsFile; the second counts where no other is named. */
const OWN_FILE = "~/.ssh/known_hosts";
const GLOBAL_FILE = "/etc/ssh/ssh_known_hosts";

/** What one connection attempt needs to know about host keys. */
export interface HostKeyPolicy {
  /** Key types to ask the host for first. */
  readonly preferred: readonly string[];
  /**
   * Accepts a key, or says why not.
   * @param key in SSH wire form
   */
  judge(key: Buffer): Promise<HostError | undefined>;
}

/**
 * Key types to ask for, one connection after another until the host shows the key: a fingerprint does not tell the type of
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

/** Reads what is known about the login's host. */
export async function hostKeyPolicy(login: Login): Promise<HostKeyPolicy> {
  if (login.hostKey !== undefined) return pinned(login, login.hostKey);
  if (login.hostKeyChecking === "off") return { preferred: [], judge: async () => undefined };
  const own = login.knownHostsFile ?? OWN_FILE;
  const file = expandHome(own);
  const name = lookupName(login.address, login.port);
  const known = await Promise.all(
    (own === OWN_FILE ? [file, GLOBAL_FILE] : [file]).map(async (path) =>
      parseKnownHosts(await readIfThere(login, path), path),
    ),
  );
  const keys = known.flat();
  let accepted: Buffer | undefined;
  return {
    preferred: knownTypes(keys, name),
    async judge(key) {
      // Asked again whenever keys are exchanged anew.
      if (accepted?.equals(key)) return undefined;
      const verdict = judgeHostKey(keys, name, key);
      if (verdict.kind === "known") return undefined;
      if (verdict.kind === "changed") return changed(login, key, verdict.known);
      if (verdict.kind === "revoked") return revoked(login, key, verdict.by);
      if (login.hostKeyChecking === "strict") return unknown(login, name, key, file);
      await record(login, file, name, key);
      accepted = key;
      return undefined;
    },
  };
}

/** Only the key (or the fingerprint) that the login names is accepted. */
function pinned(login: Login, hostKey: string): HostKeyPolicy {
  const words = hostKey.trim().split(/\s+/);
  if (words[0]!.startsWith("SHA256:")) {
    const wanted = words[0]!.replace(/=+$/, "");
    return {
      preferred: [],
      judge: async (key) => (fingerprint(key) === wanted ? undefined : notPinned(login, key, wanted)),
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
    judge: async (key) => (key.equals(wanted) ? undefined : notPinned(login, key, fingerprint(wanted))),
  };
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

function revoked(login: Login, key: Buffer, by: KnownKey): HostError {
  return new HostError(
    "host_key_changed",
    login.host,
    `${login.host} showed the host key ${fingerprint(key)}, which ${by.file} line ${by.line} revokes`,
    "A revoked key is never accepted: the host needs a new one.",
  );
}

function unknown(login: Login, name: string, key: Buffer, file: string): HostError {
  const line = `${name} ${keyType(key)} ${key.toString("base64")}`;
  return new HostError(
    "host_key_unknown",
    login.host,
    `the host key of ${login.host} is not known: ${fingerprint(key)} (${keyType(key)})`,
    `Compare it with "ssh-keygen -lf" on the host, then add this line to ${file}: ${line} (or set host_key, or host_key_checking = "accept-new").`,
  );
}

/** Appends with one write, so that many hosts recorded side by side do not mix. */
async function record(login: Login, file: string, name: string, key: Buffer): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const text = await readIfThere(login, file);
  const glue = text === "" || text.endsWith("\n") ? "" : "\n";
  await appendFile(file, `${glue}${name} ${keyType(key)} ${key.toString("base64")}\n`, { mode: 0o600 });
}

async function readIfThere(login: Login, file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw new HostError(
      "login_settings",
      login.host,
      `known_hosts_file cannot be read: ${(error as Error).message}`,
    );
  }
}
