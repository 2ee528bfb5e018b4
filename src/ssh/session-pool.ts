/**
 * @module The sessions of one run.
 */
import type { HostSession } from "./host-session.ts";
import { createHostSession } from "./host-session.ts";
import type { Login } from "./login.ts";
import type { SessionPool } from "./session.ts";
import { createSsh2Transport } from "./ssh2-transport.ts";
import type { Transport } from "./transport.ts";

export interface SessionPoolOptions {
  /** How hosts are reached; by default SSH in this process. */
  readonly transport?: Transport;
  /** How many hosts may be connected to and logged in to at the same time; 64. For the default transport. */
  readonly connections?: number;
}

/**
 * Makes an empty pool. Logins that differ in nothing but their label share a session, which then carries the label it
 * was first asked with.
 */
export function createSessionPool(options: SessionPoolOptions = {}): SessionPool {
  const transport =
    options.transport ??
    createSsh2Transport(options.connections === undefined ? {} : { handshakes: options.connections });
  const sessions = new Map<string, HostSession>();
  return {
    session(login) {
      const key = identity(login);
      const session = sessions.get(key) ?? createHostSession(login, transport);
      sessions.set(key, session);
      return session;
    },
    async close() {
      await Promise.all([...sessions.values()].map((session) => session.close()));
    },
  };
}

/** Equal for logins that may share a connection: every setting but the label. */
function identity(login: Login): string {
  const { host: _label, ...settings } = login;
  return JSON.stringify(Object.entries(settings).sort(([a], [b]) => (a < b ? -1 : 1)));
}
