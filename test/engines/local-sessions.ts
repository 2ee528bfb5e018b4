/**
 * @module Simulated hosts: this machine's own shell in place of a connection, everything above it as it is. Which host a
 * session is with makes no difference, so that each has to be given paths of its own.
 */
import { spawn } from "node:child_process";
import type { Session, SessionPool } from "../../src/ssh/session.ts";
import { createSessionPool } from "../../src/ssh/session-pool.ts";
import type { Connection, Transport } from "../../src/ssh/transport/transport.ts";

export interface LocalSessions extends SessionPool {
  /** Times that questions were sent, over all hosts: each is a round trip. */
  readonly flushes: () => number;
}

export function localSessions(): LocalSessions {
  const pool = createSessionPool({ transport: localTransport });
  const sessions = new Set<Session>();
  return {
    session(login) {
      const session = pool.session(login);
      sessions.add(session);
      return session;
    },
    close: () => pool.close(),
    flushes: () => [...sessions].reduce((sum, { counters }) => sum + counters.flushes, 0),
  };
}

const localTransport: Transport = { connect: async () => localConnection() };

function localConnection(): Connection {
  let finish: () => void = () => undefined;
  const ended = new Promise<undefined>((resolve) => {
    finish = () => resolve(undefined);
  });
  const stops = new Set<() => void>();
  return {
    ended,
    async open(command, events) {
      const child = spawn("/bin/sh", ["-c", command], { stdio: "pipe" });
      const stop = (): void => void child.kill("SIGKILL");
      let silent = false;
      stops.add(stop);
      child.stdout.on("data", (chunk) => silent || events.stdout(chunk));
      child.stderr.on("data", (chunk) => silent || events.stderr(chunk));
      child.stdin.on("error", () => undefined);
      child.on("close", (status) => {
        stops.delete(stop);
        if (silent) return;
        events.exit(status ?? 137);
        events.closed(undefined);
      });
      return {
        write: (data) => void child.stdin.write(data),
        end: () => void child.stdin.end(),
        close: () => {
          silent = true;
          stop();
        },
      };
    },
    async end() {
      for (const stop of stops) stop();
      finish();
    },
  };
}
