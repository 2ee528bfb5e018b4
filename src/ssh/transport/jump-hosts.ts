/**
 * @module Connections to jump hosts. All logins through one share its connection, which ends with the last of them.
 */
import { deferred } from "../deferred.ts";
import { HostError } from "../host-error.ts";
import { type Used, use } from "../shared-use.ts";
import type { JumpPath } from "./jump-path.ts";
import type { Ssh2Connection } from "./ssh2-connection.ts";

/** A connection in use by whoever holds this. */
export interface HeldJumpHost {
  readonly connection: Ssh2Connection;
  /** May be called more than once. */
  release(): void;
}

export interface JumpHosts {
  /** @throws HostError as the connecting function, or with code `closed` when the signal comes first */
  hold(jumpPath: JumpPath, signal: AbortSignal): Promise<HeldJumpHost>;
}

interface Shared extends Used {
  readonly connection: Promise<Ssh2Connection>;
  readonly stop: AbortController;
}

/** @param connect logs in on a hop, by its own route */
export function createJumpHosts(
  connect: (jumpPath: JumpPath, signal: AbortSignal) => Promise<Ssh2Connection>,
): JumpHosts {
  const open = new Map<string, Shared>();

  const start = (key: string, jumpPath: JumpPath): Shared => {
    const stop = new AbortController();
    const shared: Shared = { connection: connect(jumpPath, stop.signal), stop, users: 0 };
    const forget = (): void => {
      if (open.get(key) === shared) open.delete(key);
    };
    shared.connection.then((connection) => connection.ended.then(forget), forget);
    open.set(key, shared);
    return shared;
  };

  return {
    async hold(jumpPath, signal) {
      const key = JSON.stringify(jumpPath);
      const shared = open.get(key) ?? start(key, jumpPath);
      const release = use(shared, () => {
        if (open.get(key) === shared) open.delete(key);
        shared.stop.abort();
        shared.connection.then((connection) => connection.end(), ignore);
      });
      const abort = abortOf(signal, jumpPath);
      try {
        const connection = await Promise.race([shared.connection, abort.promise]);
        return { connection, release };
      } catch (error) {
        release();
        throw error;
      } finally {
        abort.forget();
      }
    },
  };
}

interface Abort {
  /** Rejects with code `closed` when the signal is aborted. */
  readonly promise: Promise<never>;
  /** Stops listening to the signal, which may outlive the promise by far. */
  forget(): void;
}

function abortOf(signal: AbortSignal, { login }: JumpPath): Abort {
  const { promise, reject } = deferred<never>();
  const abort = (): void =>
    reject(new HostError("closed", login.host, `connecting to ${login.host} was given up`));
  if (signal.aborted) abort();
  else signal.addEventListener("abort", abort, { once: true });
  return { promise, forget: () => signal.removeEventListener("abort", abort) };
}

const ignore = (): void => {};
