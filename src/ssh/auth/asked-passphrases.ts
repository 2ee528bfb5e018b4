/**
 * @module Passphrases that a person is asked for, each once, however many hosts share the key.
 */
import type { ReachedLogin } from "../config/reached-login.ts";
import { expandHome } from "../login/resolve-login.ts";
import { readText } from "../read-text.ts";
import { agentMayHold } from "./agent-keys.ts";
import { lacksPassphrase, parseKeyText } from "./private-key.ts";

/** Asks a person something that is not shown; undefined when there is no answer. */
export type Ask = (question: string) => Promise<string | undefined>;

/** Gives the passphrase that a login needs and does not have; undefined when it needs none, or nobody knows it. */
export type Passphrases = (login: ReachedLogin) => Promise<string | undefined>;

/** How often a passphrase is asked for: as often as `ssh` does it. */
const attempts = 3;

/** @param ask undefined when there is nobody to be asked */
export function createPassphrases(ask: Ask | undefined): Passphrases {
  if (ask === undefined) return async () => undefined;
  const known = new Map<string, Promise<string | undefined>>();
  let before: Promise<unknown> = Promise.resolve();
  return async (login) => {
    const locked = await lockedKey(login);
    if (locked === undefined) return undefined;
    const already = known.get(locked.path);
    if (already !== undefined) return already;
    // One question after another.
    const answer = before.then(() => askFor(locked, ask));
    before = answer.catch(() => {});
    known.set(locked.path, answer);
    return answer;
  };
}

interface KeyFile {
  readonly path: string;
  readonly text: string;
}

async function askFor({ path, text }: KeyFile, ask: Ask): Promise<string | undefined> {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const passphrase = await ask(`${attempt === 1 ? "Passphrase" : "Wrong. Passphrase"} of ${path}: `);
    if (passphrase === undefined || passphrase === "") return undefined;
    if (!(parseKeyText(text, passphrase) instanceof Error)) return passphrase;
  }
  return undefined;
}

/** The key file that keeps the login from being tried; undefined where something else may do. */
async function lockedKey(login: ReachedLogin): Promise<KeyFile | undefined> {
  if (login.passphrase !== undefined || login.privateKey !== undefined) return undefined;
  const { privateKeyFile, identityFiles } = login;
  const paths = privateKeyFile === undefined ? identityFiles : [privateKeyFile];
  const texts = await Promise.all(
    paths.map(async (path) => ({ path, text: await readText(expandHome(path)).catch(() => "") })),
  );
  const files = texts.filter(({ text }) => text !== "");
  const locked = files.find(({ text }) => isLocked(text));
  if (locked === undefined) return undefined;
  const usable = files.some(({ text }) => !(parseKeyText(text) instanceof Error));
  if (privateKeyFile === undefined && (usable || login.password !== undefined)) return undefined;
  return (await agentMayHold(login)) ? undefined : locked;
}

const isLocked = (text: string): boolean => {
  const key = parseKeyText(text);
  return key instanceof Error && lacksPassphrase(key);
};
