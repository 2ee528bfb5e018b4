/**
 * @module Private keys of a login: read, repaired where an editor changed line ends, decrypted.
 */
import { access } from "node:fs/promises";
import type { ParsedKey } from "ssh2";
import ssh2 from "ssh2";
import type { ReachedLogin } from "../config/reached-login.ts";
import { HostError, LockedKey } from "../host-error.ts";
import type { Login } from "../login/login.ts";
import { expandHome } from "../login/resolve-login.ts";
import { readText } from "../read-text.ts";
import { systemReason } from "../system-reason.ts";
import { fingerprint } from "./known-hosts.ts";

/** A key that can sign, and what a message calls it. */
export interface PrivateKey {
  readonly key: ParsedKey;
  readonly label: string;
}

/**
 * The key that the login names, if it names one.
 * @throws HostError with code `login_settings`
 */
export async function namedKey(login: Login): Promise<PrivateKey | undefined> {
  if (login.privateKey !== undefined) return parse(login, login.privateKey, "private_key");
  if (login.privateKeyFile === undefined) return undefined;
  const path = expandHome(login.privateKeyFile);
  let text: string;
  try {
    text = await readText(path);
  } catch (error) {
    throw settings(
      login,
      `the private key ${login.privateKeyFile} cannot be read: ${systemReason(error)}`,
      "private_key_file is a path on this machine.",
    );
  }
  return parse(login, text, login.privateKeyFile);
}

/** One of the files that a configuration file names, or everybody has. */
export interface IdentityFile {
  readonly path: string;
  /** What it holds, where that can be used. */
  readonly key?: PrivateKey;
  /** Why it cannot; absent where there is no file. */
  readonly trouble?: string;
}

/** The files of {@link ReachedLogin.identityFiles}, in their order. */
export const identityFiles = (login: ReachedLogin): Promise<readonly IdentityFile[]> =>
  Promise.all(
    login.identityFiles.map(async (path): Promise<IdentityFile> => {
      const text = await readText(expandHome(path)).catch(() => undefined);
      if (text === undefined) return { path };
      try {
        return { path, key: parse(login, text, path) };
      } catch (error) {
        return { path, trouble: (error as Error).message };
      }
    }),
  );

/** Certificates beside the key files that are tried, which `ssh` offers by itself (ssh(1), `-i`). */
export async function certificatesBeside({
  privateKey,
  privateKeyFile,
  identityFiles,
}: ReachedLogin): Promise<readonly string[]> {
  if (privateKey !== undefined) return [];
  const paths = privateKeyFile === undefined ? identityFiles : [privateKeyFile];
  const found = await Promise.all(paths.map(certificateBeside));
  return found.filter((file) => file !== undefined);
}

/** @returns the path of the key file's certificate, where there is one */
export async function certificateBeside(keyFile: string): Promise<string | undefined> {
  const path = `${keyFile}-cert.pub`;
  return access(expandHome(path)).then(
    () => path,
    () => undefined,
  );
}

/**
 * Public keys, in wire form, of the files that the login names: of those that are encrypted or only the agent has, too.
 * @param files where not all of them
 */
export async function namedPublicKeys(
  login: ReachedLogin,
  files = login.privateKeyFile === undefined ? login.identityFiles : [login.privateKeyFile],
): Promise<readonly Buffer[]> {
  const texts = await Promise.all(
    files.flatMap((path) => [`${path}.pub`, path].map((file) => readText(expandHome(file)).catch(() => ""))),
  );
  return [...texts, files.length > 0 ? "" : (login.privateKey ?? "")].flatMap((text) => {
    const key = text === "" ? new Error() : ssh2.utils.parseKey(text, login.passphrase);
    return key instanceof Error ? [] : [key].flat().map((one) => one.getPublicSSH());
  });
}

/** Decrypting a key costs 0.1 s and more, and a fleet shares one key. */
const parsed = new Map<string, ParsedKey>();

function parse(login: Login, text: string, source: string): PrivateKey {
  const cacheKey = JSON.stringify([text, login.passphrase]);
  const key = parsed.get(cacheKey) ?? parseText(login, text, source);
  parsed.set(cacheKey, key);
  return { key, label: `${fingerprint(key.getPublicSSH())} (${source})` };
}

function parseText(login: Login, text: string, source: string): ParsedKey {
  const result = parseKeyText(text, login.passphrase);
  if (result instanceof Error) throw unusable(login, source, result);
  const key = Array.isArray(result) ? result[0]! : result;
  if (!key.isPrivateKey()) {
    throw new LockedKey(
      "login_settings",
      login.host,
      `${source} holds a public key, and the agent does not have its private one`,
      "Name the private key, the file without .pub, or add it to the agent with ssh-add.",
    );
  }
  return key;
}

/** A key's text as editors, and settings without a last line end, leave it. */
export const repaired = (text: string): string => `${text.replaceAll("\r\n", "\n").trim()}\n`;

export const parseKeyText = (text: string, passphrase?: string): ParsedKey | ParsedKey[] | Error =>
  ssh2.utils.parseKey(repaired(text), passphrase) as ParsedKey | ParsedKey[] | Error;

/** Whether that is all that a key which could not be parsed lacks. */
export const lacksPassphrase = (error: Error): boolean => /no passphrase/i.test(error.message);

function unusable(login: Login, source: string, error: Error): HostError {
  if (lacksPassphrase(error)) {
    return new LockedKey(
      "login_settings",
      login.host,
      `the private key ${source} is encrypted`,
      "Set passphrase, or add the key to the agent with ssh-add.",
    );
  }
  if (login.passphrase !== undefined && /decrypt|integrity|passphrase|bad/i.test(error.message)) {
    return settings(login, `the passphrase does not open the private key ${source}`, "");
  }
  return settings(
    login,
    `the private key ${source} cannot be used: ${error.message}`,
    "OpenSSH and PEM formats are read.",
  );
}

function settings(login: Login, message: string, advice: string): HostError {
  return new HostError("login_settings", login.host, message, advice);
}
