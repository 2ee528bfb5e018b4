/**
 * @module The lock on a state file, shared with OpenTofu's local backend as far as Node can.
 *
 * OpenTofu locks the state file itself with fcntl, which Node does not offer, and writes who holds the lock into
 * `.terraform.tfstate.lock.info`. Here that file is the lock: it is made only if it does not exist. So
 *
 * - two runs of the embedded engine exclude each other;
 * - a running OpenTofu or Terraform is noticed by its lock file;
 * - an OpenTofu that starts later does not notice us (it overwrites the file). Its writing to the state is noticed
 *   then: the store refuses to replace a state file that somebody else has written.
 *
 * A lock of our own whose process is gone on this machine is taken over, by one process at a time: who does it holds a
 * second lock beside it. One of another machine or another program is not: it cannot be known here whether it still runs.
 */
import { randomUUID } from "node:crypto";
import { promises as fs } from "node:fs";
import { hostname, userInfo } from "node:os";
import { basename, dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { version } from "../../core/index.ts";
import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { systemErrorSentence } from "../../diagnostics/system-error.ts";
import { type ProcessIdentity, processIdentity, processIsGone } from "../../files/process-identity.ts";
import { readRegular } from "../../files/read-regular.ts";
import { removeLeftBehind } from "./left-behind.ts";

/** How often a held lock is tried again. Milliseconds. */
const retryInterval = 250;

/** Content of the lock file: OpenTofu's members, and the process for our own. */
export interface LockInfo {
  readonly ID: string;
  /** `plan`, `apply`, … */
  readonly Operation: string;
  readonly Info: string;
  /** `user@machine` */
  readonly Who: string;
  /** OpenTofu's is a number alone. Ours names Conn3x, for those who read it in a message of OpenTofu. */
  readonly Version: string;
  /** RFC 3339. */
  readonly Created: string;
  readonly Path: string;
  readonly Process?: ProcessIdentity;
}

export interface Lock {
  readonly info: LockInfo;
  /**
   * Removes the lock if it is still ours.
   *
   * @returns what kept it from being removed
   */
  release(): Promise<readonly Diagnostic[]>;
}

export interface LockTerms {
  /** For those who find the state locked, in OpenTofu's words: `OperationTypeApply`, `state rm`. */
  readonly operation: string;
  /** Milliseconds to wait for somebody else's lock. */
  readonly timeout: number;
}

export interface LockRequest extends LockTerms {
  readonly statePath: string;
}

export type Locked =
  | { readonly lock: Lock; readonly problem?: undefined }
  | { readonly lock?: undefined; readonly problem: Diagnostic };

export const lockPath = (statePath: string): string =>
  join(dirname(statePath), `.${basename(statePath)}.lock.info`);

/** Takes the lock, waiting as long as was asked for. */
export async function lockState(request: LockRequest): Promise<Locked> {
  const path = lockPath(request.statePath);
  const info = await newInfo(request);
  const text = JSON.stringify(info);
  const until = Date.now() + request.timeout;
  for (;;) {
    let held: HeldLock | undefined;
    try {
      held = await take(path, text);
    } catch (error) {
      return { problem: cannotLock(path, error as Error) };
    }
    if (held === undefined) {
      await removeLeftBehind(request.statePath);
      return { lock: { info, release: () => release(path, info.ID) } };
    }
    if (Date.now() >= until) return { problem: heldLock(held.path, held.info) };
    await delay(Math.min(retryInterval, Math.max(1, until - Date.now())));
  }
}

/** A lock file that is there. */
interface HeldLock {
  readonly path: string;
  readonly text: string;
  /** Undefined when it does not say who holds it. */
  readonly info: LockInfo | undefined;
}

/** @returns the lock that somebody else holds; undefined when it is taken */
async function take(path: string, text: string): Promise<HeldLock | undefined> {
  for (;;) {
    if (await createWhole(path, text)) return undefined;
    const held = await readLock(path);
    // Released meanwhile.
    if (held === undefined) continue;
    return held.info !== undefined && (await isStale(held.info)) ? takeOver(held, text) : held;
  }
}

/**
 * Replaces a stale lock by another one, so that there is no moment without any. Several may find it stale at
 * the same time: only who holds the lock on doing this does it, and only if nobody has done it before.
 */
async function takeOver({ path, text: stale }: HeldLock, text: string): Promise<HeldLock | undefined> {
  const guard = `${path}.takeover`;
  const busy = await take(guard, text);
  if (busy !== undefined) return busy;
  try {
    const now = await readLock(path);
    if (now === undefined) return take(path, text);
    if (now.text !== stale) return now;
    await replaceWhole(path, text);
    return undefined;
  } finally {
    await fs.rm(guard, { force: true });
  }
}

async function newInfo({ statePath, operation }: LockRequest): Promise<LockInfo> {
  return { ...lockInfo(operation, statePath), Process: await processIdentity(process.pid) };
}

/** The description of our lock, for others. */
export const lockInfo = (operation: string, path: string): LockInfo => ({
  ID: randomUUID(),
  Operation: operation,
  Info: "",
  Who: `${userName()}@${hostname()}`,
  Version: `Conn3x ${version}`,
  Created: new Date().toISOString(),
  Path: path,
});

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? "unknown");
  }
}

/** Creates the file together with its content. False when it exists. */
async function createWhole(path: string, text: string): Promise<boolean> {
  const temporary = await writeBeside(path, text);
  try {
    await fs.link(temporary, path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return false;
    if (code !== "EPERM" && code !== "ENOTSUP" && code !== "ENOSYS") throw error;
    return await createPlainly(path, text);
  } finally {
    await fs.rm(temporary, { force: true });
  }
}

/** For file systems without hard links. */
async function createPlainly(path: string, text: string): Promise<boolean> {
  try {
    await writeNew(path, text);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

async function replaceWhole(path: string, text: string): Promise<void> {
  const temporary = await writeBeside(path, text);
  try {
    await fs.rename(temporary, path);
  } catch (error) {
    await fs.rm(temporary, { force: true });
    throw error;
  }
}

/** @returns path of the new file */
async function writeBeside(path: string, text: string): Promise<string> {
  const temporary = `${path}.${randomUUID()}`;
  await writeNew(temporary, text);
  return temporary;
}

/** A disk without room takes the name and not the content: then the name goes, too. */
async function writeNew(path: string, text: string): Promise<void> {
  const file = await fs.open(path, "wx", 0o600);
  try {
    await file.writeFile(text);
    await file.close();
  } catch (error) {
    await file.close().catch(() => undefined);
    await fs.rm(path, { force: true });
    throw error;
  }
}

/** Undefined when there is none. One that may not be read does not say who holds it. */
async function readLock(path: string): Promise<HeldLock | undefined> {
  try {
    const text = (await readRegular(path)).toString("utf8");
    return { path, text, info: lockInfoIn(text) };
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT"
      ? undefined
      : { path, text: "", info: undefined };
  }
}

/** What a description of a lock says; undefined for what is none. Another program may write fewer members. */
export function lockInfoIn(text: string): LockInfo | undefined {
  try {
    const info: unknown = JSON.parse(text);
    return typeof info === "object" && info !== null ? (info as LockInfo) : undefined;
  } catch {
    return undefined;
  }
}

async function isStale(info: LockInfo): Promise<boolean> {
  return info.Process !== undefined && (await processIsGone(info.Process));
}

async function release(path: string, id: string): Promise<readonly Diagnostic[]> {
  const held = await readLock(path);
  if (held?.info?.ID === id) await fs.rm(path, { force: true });
  return [];
}

/**
 * Removes the lock on a state file that somebody else has left.
 *
 * @param id that its lock file says
 * @returns what kept it from being removed
 */
export async function forceUnlockFile(statePath: string, id: string): Promise<Diagnostic | undefined> {
  const path = lockPath(statePath);
  try {
    const held = await readLock(path);
    if (held === undefined) return notLocked(statePath);
    const of = held.info?.ID;
    if (of !== id) return otherLock(of ?? `not said: remove ${path}`);
    await fs.rm(path);
    return undefined;
  } catch (error) {
    return errorDiagnostic("The state cannot be unlocked", `${path}: ${systemErrorSentence(error)}`);
  }
}

const notLocked = (name: string): Diagnostic =>
  errorDiagnostic("The state is not locked", `Nobody holds the lock of ${name}.`);

const otherLock = (id: string): Diagnostic =>
  errorDiagnostic(
    "That is another lock",
    `The id of the lock that the state has is ${id}. Nothing was unlocked.`,
  );

const cannotLock = (path: string, error: Error): Diagnostic =>
  errorDiagnostic("Cannot lock the state", `${path} cannot be made: ${systemErrorSentence(error)}`);

/** OpenTofu writes the name of its constant: `OperationTypeApply`. */
const operationText = (operation: unknown): string =>
  String(operation)
    .replace(/^OperationType(?=.)/, "")
    .toLowerCase();

function heldLock(path: string, info: Partial<LockInfo> | undefined): Diagnostic {
  return lockedProblem(
    lockLines(info, `${path} exists and does not say who holds the lock.`),
    `When you are certain that it does not run any more${info?.ID === undefined ? "," : `: conn3x force-unlock ${info.ID}, or`} remove ${path}.`,
  );
}

/** @param remedy a sentence: what to do about a lock whose holder has ended */
export const lockedProblem = (lines: readonly string[], remedy: string): Diagnostic =>
  errorDiagnostic(
    "Error acquiring the state lock",
    `${lines.join("\n")}\nWait for it to end (-lock-timeout). ${remedy}`,
  );

/** Another program may write fewer members than we do: those that are there are shown. */
export function lockLines(info: Partial<LockInfo> | undefined, nameless: string): readonly string[] {
  const { ID, Path, Operation, Who, Version, Created } = info ?? {};
  const members = { ID, Path, Operation: Operation && operationText(Operation), Who, Version, Created };
  const reported = Object.entries(members)
    .filter(([, value]) => typeof value === "string")
    .map(([name, value]) => `  ${`${name}:`.padEnd(10)} ${value}`);
  return reported.length === 0 ? [nameless] : ["Somebody else is working with this state:", ...reported];
}
