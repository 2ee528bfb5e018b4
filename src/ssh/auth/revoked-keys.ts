/**
 * @module `RevokedHostKeys` of ssh_config(5): a file of public keys, one on each line, that no host is to have. OpenSSH reads
 * binary lists (KRL) besides; where the file is one, or cannot be read, no host is logged in to, as with OpenSSH.
 */
import { HostError } from "../host-error.ts";
import type { Login } from "../login/login.ts";
import { readText } from "../read-text.ts";
import { systemReason } from "../system-reason.ts";
import { keyType } from "./known-hosts.ts";

/** A key that a file revokes. */
export interface RevokedKey {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** In SSH wire form. */
  readonly key: Buffer;
}

/** @throws HostError with code `login_settings` */
export async function readRevokedKeys(
  login: Login,
  files: readonly string[],
): Promise<readonly RevokedKey[]> {
  const texts = await Promise.all(files.map(async (file) => ({ file, text: await textOf(login, file) })));
  return texts.flatMap(({ file, text }) => parseRevokedKeys(text, file));
}

/** Lines of public keys, as `*.pub` files have them; others say nothing. */
function parseRevokedKeys(text: string, file: string): readonly RevokedKey[] {
  return text.split("\n").flatMap((raw, index) => {
    const [type, encoded] = raw.trim().split(/[ \t]+/);
    const key = Buffer.from(encoded ?? "", "base64");
    return type !== "" && keyType(key) === type ? [{ file, line: index + 1, key }] : [];
  });
}

async function textOf(login: Login, file: string): Promise<string> {
  const advice = `No host is logged in to while RevokedHostKeys names it. transport = "openssh" reads every form of it.`;
  let text: string;
  try {
    text = await readText(file);
  } catch (error) {
    const message = `the file of revoked host keys ${file} cannot be read: ${systemReason(error)}`;
    throw new HostError("login_settings", login.host, message, advice);
  }
  // PROTOCOL.krl, 2.
  if (text.startsWith("SSHKRL\n\0")) {
    const message = `the file of revoked host keys ${file} is a binary list (KRL), which is not read here`;
    throw new HostError("login_settings", login.host, message, advice);
  }
  return text;
}
