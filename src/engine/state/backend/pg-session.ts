/**
 * @module A session with a PostgreSQL server: it is opened for the first statement, and lost with its advisory locks.
 */
import type { Socket } from "node:net";
import type { Client, QueryResultRow } from "pg";
import { BackendError } from "../state-backend.ts";
import { connectionProblem } from "./connection-problem.ts";
import type { PgSettings } from "./pg-settings.ts";

/** How long an answer may take. Milliseconds. */
const queryTimeout = 60_000;

/** Longer answers are refused: no state comes near it. Bytes. */
const longestAnswer = 256 * 2 ** 20;

export interface PgSession {
  /**
   * @param summary of the error: `State cannot be read`
   * @throws PlaceError with the library's error as its `cause`
   */
  ask(statement: string, values: readonly string[], summary: string): Promise<readonly QueryResultRow[]>;
  /** While it is set, a lost connection is an error for every later statement: the lock was lost with it. */
  isLocked: boolean;
  close(): Promise<void>;
}

/** @param name of the state, for messages */
export function pgSession(connection: PgSettings["connection"], name: string): PgSession {
  let client: Client | undefined;
  let isLost = false;
  let socket: Socket | undefined;
  /** Bytes received before the present statement. */
  let before = 0;

  const session: PgSession = { ask, isLocked: false, close };
  return session;

  async function ask(
    statement: string,
    values: readonly string[],
    summary: string,
  ): Promise<readonly QueryResultRow[]> {
    if (isLost && session.isLocked)
      throw new BackendError(summary, `${name}: the connection was lost, and the lock with it.`);
    try {
      before = socket?.bytesRead ?? 0;
      client ??= await connect();
      return (await client.query(statement, [...values])).rows;
    } catch (error) {
      const failure = new BackendError(summary, `${name}: ${problemText(error)}.`);
      failure.cause = error;
      throw failure;
    }
  }

  async function connect(): Promise<Client> {
    const { Client } = await import("pg");
    const { Socket } = await import("node:net");
    socket = limited(new Socket());
    const opened = new Client({
      stream: () => socket!,
      host: connection.host,
      port: connection.port,
      user: connection.user,
      password: connection.password,
      database: connection.database,
      ssl: connection.ssl,
      options: connection.options,
      application_name: connection.applicationName,
      connectionTimeoutMillis: connection.connectTimeout,
      query_timeout: queryTimeout,
      keepAlive: true,
    });
    opened.on("error", () => {
      isLost = true;
      if (client === opened) client = undefined;
    });
    await opened.connect();
    isLost = false;
    return opened;
  }

  /** Its bytes are counted below the encryption, and from before the login on. */
  function limited(opened: Socket): Socket {
    before = 0;
    const timer = setInterval(() => {
      if (opened.bytesRead - before > longestAnswer)
        opened.destroy(new Error(`its answer is longer than ${longestAnswer / 2 ** 20} MiB`));
    }, 50);
    timer.unref();
    return opened.on("close", () => clearInterval(timer));
  }

  async function close(): Promise<void> {
    const closing = client;
    client = undefined;
    session.isLocked = false;
    await closing?.end().catch(() => undefined);
  }
}

/** The end of a sentence. PostgreSQL's own words name no password. */
function problemText(error: unknown): string {
  const { message, code } = error as { readonly message?: string; readonly code?: string };
  if (message === "The server does not support SSL connections")
    return "it speaks no TLS. Where that is wanted, say sslmode=disable in the connection string";
  // PostgreSQL's codes have five characters, the system's are longer.
  return code?.length === 5 && message !== undefined ? `it says "${message}"` : connectionProblem(error);
}
