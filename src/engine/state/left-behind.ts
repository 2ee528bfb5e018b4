/**
 * @module Removes what killed processes left beside a state file while they wrote it or took its lock.
 */
import { promises as fs } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type ProcessIdentity, processIsGone } from "../../files/process-identity.ts";
import { readRegular } from "../../files/read-regular.ts";
import { temporaryNamesOf } from "../../files/replace-file.ts";

/** Milliseconds after which half a lock file is certainly not being written any more. */
const longEnough = 60_000;

/** To be called by who holds the lock. Never fails: what cannot be removed disturbs nobody. */
export async function removeLeftBehind(statePath: string): Promise<void> {
  const directory = dirname(statePath);
  const name = basename(statePath).replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  // Of `replaceFile`, for the state, its backup and its journal: only who holds the lock writes these.
  const replacing = temporaryNamesOf(`(?:${name}|${name}\\.backup|\\.${name}\\.journal)`);
  // Of `lockState`: others may be taking their turn.
  const locking = new RegExp(`^\\.${name}\\.lock\\.info(\\.takeover)?\\.[0-9a-f-]{36}$`);
  const entries = await fs.readdir(directory).catch(() => []);
  for (const entry of entries) {
    const path = join(directory, entry);
    if (replacing.test(entry) || (locking.test(entry) && (await isAbandoned(path)))) {
      await fs.rm(path, { force: true }).catch(() => undefined);
    }
  }
}

async function isAbandoned(path: string): Promise<boolean> {
  try {
    const owner = ownerOf(String(await readRegular(path)));
    if (owner !== undefined) return await processIsGone(owner);
    return Date.now() - (await fs.stat(path)).mtimeMs > longEnough;
  } catch {
    return false;
  }
}

function ownerOf(text: string): ProcessIdentity | undefined {
  try {
    return (JSON.parse(text) as { readonly Process?: ProcessIdentity }).Process;
  } catch {
    return undefined;
  }
}
