/**
 * @module The directory of one process's socket and plan files, which hold values in clear: for this user alone, and gone
 * with the process. What a killed one has left goes with the next one.
 */
import { lstatSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type ProcessIdentity, processIdentity, processIsGone } from "./process-identity.ts";

export interface RunDirectory {
  readonly path: string;
  /** May be called twice, and while the process ends. */
  remove(): void;
}

const beginning = "conn3x-run-";
/** Whose directory it is: a {@link ProcessIdentity} as JSON. */
const ownerFile = "owner.json";
/** Milliseconds after which a directory without an owner is not one that is just being made. */
const longestMaking = 3_600_000;

/** A path as long as that of a run directory in `parent`. */
export const runDirectoryLike = (parent: string): string => join(parent, `${beginning}XXXXXX`);

/**
 * @param parents where it may be made, and where others' are looked for: the first one that takes it
 * @throws the file system's error of the first one, when none does
 */
export async function makeRunDirectory(
  parents: readonly string[] = temporaryDirectories(),
): Promise<RunDirectory> {
  const owner = JSON.stringify(await processIdentity(process.pid));
  let failure: unknown;
  for (const parent of new Set(parents)) {
    await removeAbandoned(parent);
    try {
      return makeIn(parent, owner);
    } catch (error) {
      failure ??= error;
    }
  }
  throw failure;
}

/** What the environment says, and what is there on every Unix (hier(7)), where that is missing, full or read-only. */
export const temporaryDirectories = (): readonly string[] => [resolve(tmpdir()), "/tmp", "/dev/shm"];

function makeIn(parent: string, owner: string): RunDirectory {
  // mkdtemp makes directories with mode 0700.
  const path = mkdtempSync(join(parent, beginning));
  const remove = (): void => rmSync(path, { recursive: true, force: true });
  try {
    writeFileSync(join(path, ownerFile), owner);
    return { path, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

async function removeAbandoned(parent: string): Promise<void> {
  const names = await readdir(parent).catch(() => []);
  const directories = names.filter((name) => name.startsWith(beginning)).map((name) => join(parent, name));
  for (const directory of directories) {
    try {
      if (await isAbandoned(directory)) rmSync(directory, { recursive: true, force: true });
    } catch {
      // Gone meanwhile, or another user's.
    }
  }
}

/**
 * Only what this user has made counts: what another user says about its owner could be made up, and names something of ours.
 *
 * @throws the file system's error
 */
async function isAbandoned(directory: string): Promise<boolean> {
  const status = lstatSync(directory);
  if (!status.isDirectory() || status.uid !== process.getuid?.()) return false;
  const owner = await readOwner(directory);
  // Killed between the two steps of making it, or damaged.
  if (owner === undefined) return Date.now() - status.mtimeMs > longestMaking;
  return processIsGone(owner);
}

async function readOwner(directory: string): Promise<ProcessIdentity | undefined> {
  try {
    const owner: unknown = JSON.parse(await readFile(join(directory, ownerFile), "utf8"));
    return isIdentity(owner) ? owner : undefined;
  } catch {
    return undefined;
  }
}

const isIdentity = (value: unknown): value is ProcessIdentity =>
  typeof value === "object" && value !== null && "pid" in value && typeof value.pid === "number";
