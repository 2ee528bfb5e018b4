/**
 * @module No more connections than this process may have files open: whoever needs one more waits until another host needs
 * its own no longer, and that is then ended.
 */
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { HostError } from "../host-error.ts";
import type { Login } from "../login/login.ts";
import { isShortage, systemReason } from "../system-reason.ts";
import type { Connection, Transport } from "./transport.ts";

/** Files that are left for everything else: the program, its journal, keys, logs. */
const kept = 40;
/** What a connection takes: a socket and what is read for it, or processes with three pipes each. */
const [ofSocket, ofProcesses] = [2, 12];
/** Milliseconds between looks for somebody who can do without. */
const pause = 50;
/** Milliseconds after which whoever waits goes on: those that have what it needs may wait for it. */
const patience = 60_000;

/** A holder of a connection. */
export interface Holder {
  readonly login: Login;
  /** Ends its connection, unless it is needed now. @returns whether it was ended */
  rest(): Promise<boolean>;
}

export interface Sparing {
  readonly transport: Transport;
  /** Whoever connects with the transport, from the one that may give up first to the last. */
  holders: () => Iterable<Holder>;
}

/** Files that this process may have open; Infinity where that is not known. */
export function openFilesLimit(): number {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
    return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** @param limit see {@link openFilesLimit} */
export function sparingTransport(transport: Transport, limit: number): Sparing {
  let taken = 0;
  const standing = new Set<Login>();
  const sparing: Sparing = { transport: { connect }, holders: () => [] };

  /** Ends one connection that nobody needs now. */
  async function free(): Promise<void> {
    for (const holder of sparing.holders()) {
      if (standing.has(holder.login) && (await holder.rest())) return;
    }
  }
  async function room(cost: number, signal: AbortSignal): Promise<void> {
    const end = Date.now() + patience;
    while (taken > 0 && taken + cost > limit - kept && Date.now() < end && !signal.aborted) {
      await free();
      if (taken + cost > limit - kept) await sleep(pause, undefined, { signal }).catch(() => {});
    }
  }
  async function connect(login: Login, signal: AbortSignal): Promise<Connection> {
    const isSocket = login.transport === undefined || login.transport === "ssh2";
    const cost = isSocket && login.proxyCommand === undefined ? ofSocket : ofProcesses;
    for (const end = Date.now() + patience; ; ) {
      await room(cost, signal);
      taken += cost;
      try {
        const connection = await transport.connect(login, signal);
        standing.add(login);
        connection.ended.then(() => {
          taken -= cost;
          standing.delete(login);
        });
        return connection;
      } catch (error) {
        taken -= cost;
        const cause = error instanceof HostError ? (error.cause ?? error) : error;
        if (!isShortage(cause) || signal.aborted || Date.now() > end) throw ofHost(login, error);
        await free();
        await sleep(pause, undefined, { signal }).catch(() => {});
      }
    }
  }
  return sparing;
}

/** What no one foresaw still names its host. */
function ofHost({ host }: Login, error: unknown): HostError {
  if (error instanceof HostError) return error;
  const message = `no connection to ${host}: ${systemReason(error)}`;
  return new HostError("unreachable", host, message, "", false, { cause: error });
}
