/**
 * @module The sessions of one run.
 */
import { advisedSession } from "./advised-session.ts";
import { type Ask, createPassphrases } from "./auth/asked-passphrases.ts";
import type { HostSession } from "./host-session.ts";
import { createHostSession } from "./host-session.ts";
import type { Login } from "./login/login.ts";
import type { SessionPool } from "./session.ts";
import { newRun } from "./shell/operation-mark.ts";
import { createConcealer } from "./trace/concealer.ts";
import { type HostEvent, mapTexts, type Tracing } from "./trace/host-event.ts";
import { tracedSession } from "./trace/traced-session.ts";
import { tracedTransport } from "./trace/traced-transport.ts";
import { createTransport } from "./transport/choose-transport.ts";
import { openFilesLimit, sparingTransport } from "./transport/sparing-transport.ts";
import type { LoginWarning, Transport } from "./transport/transport.ts";

export interface SessionPoolOptions {
  /** How hosts are reached; by default as each login says. */
  readonly transport?: Transport;
  /** How many hosts may be connected to and logged in to at the same time; 64. For the default transport. */
  readonly connections?: number;
  /** Asks a person for something that is not shown: passphrases of keys, each once. */
  readonly ask?: Ask;
  /** For logins that become another user and have no password for it. Secret. */
  readonly becomePassword?: string;
  /** Seconds that a host has for everything that is read there in one phase, unless its command_timeout is longer; 300. */
  readonly reading?: number;
  /** A text that is the same for all runs about one state; default: this process's directory. */
  readonly project?: string;
  /** Gets what a person should know about logins, each text once. */
  warn?(warning: LoginWarning): void;
  /** Gets the events between us and hosts, secrets masked. Without it nothing of that is gathered. */
  readonly tracing?: Tracing;
}

/**
 * Makes an empty pool. Logins that differ in nothing but their label share a session, which then carries the label it
 * was first asked with.
 */
export function createSessionPool(options: SessionPoolOptions = {}): SessionPool {
  const { tracing, reading } = options;
  const trace = tracing && concealing(tracing);
  const reached =
    options.transport ??
    createTransport({
      ...(trace && { report: trace.report }),
      ...(options.connections === undefined ? {} : { handshakes: options.connections }),
      ...(options.warn && { warn: onceEach(options.warn) }),
      passphrases: createPassphrases(options.ask),
    });
  const sparing = sparingTransport(reached, openFilesLimit());
  const transport = trace ? tracedTransport(sparing.transport, trace.report) : sparing.transport;
  const create = (login: Login): HostSession => {
    const { refusalAdvice } = login;
    const session = createTraced(login);
    return refusalAdvice === undefined ? session : advisedSession(session, refusalAdvice);
  };
  const createTraced = (login: Login): HostSession => {
    if (trace === undefined) return createHostSession(login, transport, run, reading);
    const logName = trace.nameOf(login);
    const session = createHostSession(
      logName === undefined ? login : { ...login, logName },
      transport,
      run,
      reading,
    );
    for (const secret of secretsOf(login)) trace.add(secret);
    return tracedSession(session, trace);
  };
  const sessions = new Map<string, HostSession>();
  sparing.holders = () => sessions.values();
  const run = newRun(options.project ?? `${process.cwd()} ${process.env.TF_WORKSPACE ?? ""}`);
  return {
    ...(trace && { conceal: trace.add }),
    session(given) {
      const { becomePassword } = options;
      const lacks = given.become && given.becomePassword === undefined && becomePassword !== undefined;
      const login = lacks ? { ...given, becomePassword } : given;
      const key = identity(login);
      const session = sessions.get(key) ?? create(login);
      sessions.set(key, session);
      return session;
    },
    async close() {
      await Promise.all([...sessions.values()].map((session) => session.close()));
    },
  };
}

/** Removes secrets from every report, whatever part of the session makes it. */
function concealing({ report, nameOf = () => undefined, hidesCommands = false }: Tracing) {
  const { add, conceal, hasShort } = createConcealer();
  // The hash of a short secret gives it away, and a machine's id is its own affair (machine-id(5)).
  const hide = (text: string, isCut?: boolean): string =>
    conceal(text, isCut).replace(/\b(?:[0-9a-f]{32}|[0-9a-f]{64})\b/g, "(hash)");
  return {
    add,
    nameOf,
    conceal: hide,
    hidesCommands: () => hidesCommands || hasShort(),
    report: (event: HostEvent) => report(mapTexts(event, (text) => hide(text))),
  };
}

/** The secrets of a login and of its jump hosts. */
function secretsOf(login: Login): readonly string[] {
  const { becomePassword, bastions = [] } = login;
  const all = [login, ...bastions].flatMap(({ password, passphrase, privateKey }) => [
    password,
    passphrase,
    privateKey,
  ]);
  return [...all, becomePassword].filter((secret) => secret !== undefined);
}

function onceEach(report: (warning: LoginWarning) => void): (warning: LoginWarning) => void {
  const reported = new Set<string>();
  return (warning) => {
    if (reported.has(warning.text)) return;
    reported.add(warning.text);
    report(warning);
  };
}

/** Equal for logins that may share a connection: every setting but the label. */
function identity(login: Login): string {
  const { host: _label, ...settings } = login;
  return JSON.stringify(Object.entries(settings).sort(([a], [b]) => (a < b ? -1 : 1)));
}
