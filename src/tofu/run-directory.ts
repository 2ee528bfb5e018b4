/**
 * @module The directory of one command's socket and plan files, which hold values in clear: for this user alone, and gone
 * with the command. What a killed one has left goes with the next one.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ProcessIdentity, processIdentity, processIsGone } from "../engine/state/process-identity.ts";

export interface RunDirectory {
  readonly path: string;
  /** May be called twice, and while the process ends. */
  remove(): void;
}

const beginning = "conn3x-run-";
/** Whose directory it is: a {@link ProcessIdentity} as JSON. */
const ownerFile = "owner.json";

/** @param parent where it is made, and where others' are looked for */
export async function makeRunDirectory(parent = tmpdir()): Promise<RunDirectory> {
  await removeAbandoned(parent);
  const owner = await processIdentity(process.pid);
  // mkdtemp makes directories with mode 0700.
  const path = mkdtempSync(join(parent, beginning));
  writeFileSync(join(path, ownerFile), JSON.stringify(owner));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** What cannot be read or removed stays: it is another user's. */
async function removeAbandoned(parent: string): Promise<void> {
  const names = await readdir(parent).catch(() => []);
  const directories = names.filter((name) => name.startsWith(beginning)).map((name) => join(parent, name));
  for (const directory of directories) {
    try {
      const owner = JSON.parse(await readFile(join(directory, ownerFile), "utf8")) as ProcessIdentity;
      if (await processIsGone(owner)) rmSync(directory, { recursive: true, force: true });
    } catch {
      // Just being made, or not ours.
    }
  }
}
