/**
 * @module The default transport: SSH in this process, by the `ssh2` package.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { createGate } from "./gate.ts";
import { HostError } from "./host-error.ts";
import type { Login } from "./login.ts";
import { DroppedEarly, logIn } from "./ssh2-login.ts";
import type { Transport } from "./transport.ts";

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
        const deadline = Date.now() + login.connectTimeout * 1000;
        for (let attempt = 0; ; attempt++) {
          try {
            return await logIn(login, deadline - Date.now(), signal);
          } catch (error) {
            if (!(error instanceof DroppedEarly)) throw expected(login, error);
            const pause = (BACK_OFF[attempt] ?? BACK_OFF.at(-1)!) * (0.75 + Math.random() / 2);
            if (Date.now() + pause >= deadline) throw droppedToTheEnd(login, attempt + 1, error);
            await sleep(pause, undefined, { signal }).catch(() => {});
          }
        }
      } finally {
        leave();
      }
    },
  };
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
