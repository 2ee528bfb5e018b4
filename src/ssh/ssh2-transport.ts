/**
 * @module The default transport: SSH in this process, by the `ssh2` package.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { createGate } from "./gate.ts";
import { HostError } from "./host-error.ts";
import { keyTypeRounds } from "./host-key.ts";
import type { Login } from "./login.ts";
import { milliseconds } from "./milliseconds.ts";
import { DroppedEarly, logIn } from "./ssh2-login.ts";
import type { Connection, Transport } from "./transport.ts";

export interface Ssh2TransportOptions {
  /** How many hosts may be connected to and logged in to at the same time; 64. */
  readonly handshakes?: number;
}

/** Pauses before another attempt where a busy sshd (`MaxStartups`) dropped the connection. Milliseconds. */
const BACK_OFF = [200, 400, 800, 1600, 3200];

/** Makes the transport; it holds nothing open by itself. */
export function createSsh2Transport(options: Ssh2TransportOptions = {}): Transport {
  const handshakes = createGate(options.handshakes ?? 64);
  return {
    async connect(login, signal) {
      const leave = await handshakes.enter();
      try {
        return await logInPatiently(login, signal);
      } finally {
        leave();
      }
    },
  };
}

/** Attempts until one counts, all of them within the login's time limit. */
async function logInPatiently(login: Login, signal: AbortSignal): Promise<Connection> {
  const deadline = Date.now() + milliseconds(login.connectTimeout);
  const rounds = [...keyTypeRounds(login)];
  for (let dropped = 0; ; ) {
    try {
      return await logIn(login, rounds[0]!, deadline - Date.now(), signal);
    } catch (error) {
      if (error instanceof HostError && error.code === "host_key_changed" && rounds.length > 1) {
        rounds.shift();
        continue;
      }
      if (!(error instanceof DroppedEarly)) throw expected(login, error);
      const pause = (BACK_OFF[dropped] ?? BACK_OFF.at(-1)!) * (0.75 + Math.random() / 2);
      dropped++;
      if (Date.now() + pause >= deadline) throw droppedToTheEnd(login, dropped, error);
      await sleep(pause, undefined, { signal }).catch(() => {});
    }
  }
}

/** What no one foresaw still names its host. */
function expected(login: Login, error: unknown): HostError {
  if (error instanceof HostError) return error;
  const message = `no login on ${login.host}: ${error instanceof Error ? error.message : String(error)}`;
  return new HostError("unreachable", login.host, message, "", false, { cause: error });
}

function droppedToTheEnd(login: Login, attempts: number, cause: Error): HostError {
  return new HostError(
    "unreachable",
    login.host,
    `${login.address} port ${login.port} closed the connection ${attempts} times before keys were exchanged: ${cause.message}`,
    "Its sshd may be refusing new connections (MaxStartups), or something else than sshd listens there.",
    false,
    { cause },
  );
}
