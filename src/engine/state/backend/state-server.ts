/**
 * @module A state that something else than this machine's files keeps: what a backend has to be able to do. The rest
 * (journal, lock among the runs of this machine, comparing states) is the same for all: {@link remoteBackend}.
 */
import { createHash } from "node:crypto";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Diagnostic } from "../../../diagnostics/diagnostic.ts";
import { makeDirectory } from "../../../files/make-directory.ts";
import {
  forceUnlockFile,
  type Lock,
  type Locked,
  type LockInfo,
  type LockTerms,
  lockedProblem,
  lockInfo,
  lockState,
} from "../lock.ts";
import { backendProblem, type StateBackend } from "../state-backend.ts";
import { journalPath } from "../store.ts";
import { contentHash } from "./content-hash.ts";

export interface StateServer {
  /** See {@link StateBackend}. */
  readonly caution?: Diagnostic | undefined;
  /** For messages: an address without what is secret in it. */
  readonly name: string;
  /** The text of the state; undefined where there is none. @throws PlaceError */
  read(): Promise<string | undefined>;
  /** @throws PlaceError */
  write(content: Uint8Array): Promise<void>;
  /** Takes the lock, or returns who has it. @throws PlaceError */
  lock(info: LockInfo): Promise<ServerLock>;
  /** Ends a lock that somebody else has left. @returns what kept it from being ended @throws PlaceError */
  forceUnlock(id: string): Promise<Diagnostic | undefined>;
  /** Ends connections. */
  close(): Promise<void>;
}

export type ServerLock =
  | { readonly release: () => Promise<void>; readonly held?: undefined }
  | { readonly release?: undefined; readonly held: HeldElsewhere };

export interface HeldElsewhere {
  /** The server's description of the lock. */
  readonly lines: readonly string[];
  /** A sentence: what to do about a lock whose holder has ended. */
  readonly remedy: string;
}

/** Directory, relative to the configuration, for the journals and locks of remote states. */
export const localDirectory = ".conn3x";

/** As often as OpenTofu stores a state elsewhere while it works. Milliseconds. */
const foldInterval = 20_000;

/** How often a lock that is held elsewhere is tried again. Milliseconds. */
const retryInterval = 1000;

/**
 * @param type of the backend: `http`
 * @param identity identifies its state among those of that type: names the journal
 */
export function remoteBackend(type: string, identity: string, server: StateServer): StateBackend {
  const id = createHash("sha256").update(identity).digest("hex").slice(0, 16);
  /** No such file is ever made: the journal and the lock of this machine's runs lie beside it. */
  const here = `${localDirectory}/${type}-${id}`;
  const { name } = server;
  return {
    name,
    journal: journalPath(here),
    foldInterval,
    isRemote: true,
    caution: server.caution,
    lock: (terms) => lockBoth(here, server, terms),
    async forceUnlock(id) {
      try {
        return (await forceUnlockFile(here, id)) === undefined ? undefined : await server.forceUnlock(id);
      } catch (error) {
        return backendProblem(error, "The state cannot be unlocked", name);
      }
    },
    async read() {
      return { text: await server.read() };
    },
    hashOf: contentHash,
    encode(parts) {
      const text = [...parts].join("");
      return { bytes: [Buffer.from(text)], hash: contentHash(text) };
    },
    presentHash: async () => contentHash(await server.read()),
    backUp: async () => undefined,
    write: ({ bytes }) => server.write(Buffer.concat(bytes)),
    close: () => server.close(),
  };
}

/** First among the runs of this machine, which share a journal; then among all. */
async function lockBoth(here: string, server: StateServer, terms: LockTerms): Promise<Locked> {
  try {
    makeDirectory(dirname(here));
  } catch (error) {
    return { problem: backendProblem(error, "Cannot lock the state", dirname(here)) };
  }
  const own = await lockState({ ...terms, statePath: here });
  if (own.lock === undefined) return own;
  const locked = await lockThere(server, terms, own.lock);
  if (locked.lock === undefined) await own.lock.release();
  return locked;
}

async function lockThere(server: StateServer, terms: LockTerms, own: Lock): Promise<Locked> {
  const info = lockInfo(terms.operation, server.name);
  const until = Date.now() + terms.timeout;
  try {
    for (;;) {
      const { release, held } = await server.lock(info);
      if (release !== undefined) return { lock: { info, release: () => releaseBoth(server, release, own) } };
      if (Date.now() >= until) return { problem: lockedProblem(held.lines, held.remedy) };
      await delay(Math.min(retryInterval, Math.max(1, until - Date.now())));
    }
  } catch (error) {
    return { problem: backendProblem(error, "Cannot lock the state", server.name) };
  }
}

async function releaseBoth(
  { name }: StateServer,
  release: () => Promise<void>,
  own: Lock,
): Promise<readonly Diagnostic[]> {
  try {
    await release();
    return [];
  } catch (error) {
    return [backendProblem(error, "Error releasing the state lock", name)];
  } finally {
    await own.release();
  }
}
