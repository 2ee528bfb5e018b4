/**
 * @module The sessions of one run.
 */
import { type Ask, createPassphrases } from "./asked-passphrases.ts";
import { createTransport } from "./choose-transport.ts";
import type { HostSession } from "./host-session.ts";
import { createHostSession } from "./host-session.ts";
import type { Login } from "./login.ts";
import { newRun } from "./operation-mark.ts";
import type { SessionPool } from "./session.ts";
import type { Transport } from "./transport.ts";

export interface SessionPoolOptions {
  /** How hosts are reached; by default as each login says. */
  readonly transport?: Transport;
  /** How many hosts may be connected to and logged in to at the same time; 64. For the default transport. */
  readonly connections?: number;
  /** Asks a person for something that is not shown: passphrases of keys, each once. */
  readonly ask?: Ask;
  /** For logins that become another user and have no password for it. Secret. */
  readonly becomePassword?: string;
  /** Told what is not honoured in `ssh_config` files: whole sentences, each once. */
  warn?(warning: string): void;
}

/**
 * Makes an empty pool. Logins that differ in nothing but their label share a session, which then carries the label it
 * was first asked with.
 */
export function createSessionPool(options: SessionPoolOptions = {}): SessionPool {
  const transport =
    options.transport ??
    createTransport({
      ...(options.connections === undefined ? {} : { handshakes: options.connections }),
      ...(options.warn && { warn: onceEach(options.warn) }),
      passphrases: createPassphrases(options.ask),
    });
  const sessions = new Map<string, HostSession>();
  const run = newRun();
  return {
    session(given) {
      const { becomePassword } = options;
      const lacks = given.become && given.becomePassword === undefined && becomePassword !== undefined;
      const login = lacks ? { ...given, becomePassword } : given;
      const key = identity(login);
      const session = sessions.get(key) ?? createHostSession(login, transport, run);
      sessions.set(key, session);
      return session;
    },
    async close() {
      await Promise.all([...sessions.values()].map((session) => session.close()));
    },
  };
}

function onceEach(tell: (text: string) => void): (text: string) => void {
  const told = new Set<string>();
  return (text) => {
    if (told.has(text)) return;
    told.add(text);
    tell(text);
  };
}

/** Equal for logins that may share a connection: every setting but the label. */
function identity(login: Login): string {
  const { host: _label, ...settings } = login;
  return JSON.stringify(Object.entries(settings).sort(([a], [b]) => (a < b ? -1 : 1)));
}
