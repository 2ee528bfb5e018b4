/**
 * @module A state in a PostgreSQL database, in the table of OpenTofu's backend `pg` and with its locks, so that both
 * engines can share it: a row for each workspace, of which this is `default`; an advisory lock on the row's id, and one on
 * the table while there is no row.
 * Source: https://opentofu.org/docs/language/settings/backends/pg/
 */
import type { Client, QueryResultRow } from "pg";
import { type Diagnostic, errorDiagnostic } from "../../../diagnostics/diagnostic.ts";
import { PlaceError, type StatePlace } from "../place.ts";
import { connectionProblem } from "./connection-problem.ts";
import { creationLock } from "./creation-lock.ts";
import type { PgSettings } from "./pg-settings.ts";
import { type HeldElsewhere, remotePlace, type ServerLock, type StateServer } from "./state-server.ts";

/** The only workspace that the embedded engine has. */
const workspace = "default";

/** How long an answer may take. Milliseconds. */
const queryTimeout = 60_000;

export function pgPlace(settings: PgSettings): StatePlace {
  const { host, port, database } = settings.connection;
  const where = `${host}:${port}/${database}`;
  const table = `${settings.schema}.${settings.table}`;
  return remotePlace("pg", `${where} ${table}`, pgServer(settings, `postgres://${where} (${table})`));
}

function pgServer(settings: PgSettings, name: string): StateServer {
  const table = `${quoted(settings.schema)}.${quoted(settings.table)}`;
  let client: Client | undefined;
  /** Whether a lock was taken on the connection, which has it as long as it lasts. */
  let isLocked = false;
  let isLost = false;

  return { name, read, write, lock, forceUnlock, close };

  async function read(): Promise<string | undefined> {
    const summary = "State cannot be read";
    try {
      const [row] = await ask(`SELECT data FROM ${table} WHERE name = $1`, [workspace], summary);
      return typeof row?.data === "string" ? row.data : undefined;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async function write(content: Uint8Array): Promise<void> {
    const text = Buffer.from(content).toString("utf8");
    const statement = `INSERT INTO ${table} AS stored (name, data) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET data = $2 WHERE stored.name = $1`;
    await ask(statement, [workspace, text], "State cannot be saved");
  }

  async function lock(): Promise<ServerLock> {
    const summary = "Cannot lock the state";
    await prepare(summary);
    const creation = creationLock(settings.schema, settings.table);
    const locking = `SELECT id, pg_try_advisory_lock(id) AS own, pg_try_advisory_lock($1) AS creation FROM ${table} WHERE name = $2`;
    const [row] = await ask(locking, [creation, workspace], summary);
    const take = (id: string): ServerLock => {
      isLocked = true;
      return { release: () => release(id) };
    };
    if (row === undefined) {
      const [made] = await ask("SELECT pg_try_advisory_lock($1) AS own", [creation], summary);
      return made?.own === true ? take(creation) : { held: await holder(creation) };
    }
    const id = String(row.id);
    // Only who makes the row needs the table's. Who else has that is about to make this one.
    if (row.creation === true) await unlock(creation, summary);
    if (row.own === true && row.creation === true) return take(id);
    if (row.own === true) await unlock(id, summary);
    return { held: await holder(row.own === true ? creation : id) };
  }

  async function release(id: string): Promise<void> {
    await unlock(id, "Error releasing the state lock");
    isLocked = false;
  }

  async function unlock(id: string, summary: string): Promise<void> {
    await ask("SELECT pg_advisory_unlock($1)", [id], summary);
  }

  async function holder(id: string): Promise<HeldElsewhere> {
    const session = await sessionHolding(id);
    if (session === undefined)
      return {
        lines: [`Another session of the database has locked the state: ${name}.`],
        remedy: "When you are certain that it does not run any more, end its session in the database.",
      };
    const told = Object.entries(session).filter(([, value]) => typeof value === "string" && value !== "");
    return {
      lines: [
        "Somebody else is working with this state, in a session of the database:",
        ...told.map(([member, value]) => `  ${`${member}:`.padEnd(13)} ${value}`),
      ],
      remedy: `When you are certain that it does not run any more, end its session: SELECT pg_terminate_backend(${session.pid}).`,
    };
  }

  /** Some of it may be hidden from this user. */
  async function sessionHolding(id: string): Promise<QueryResultRow | undefined> {
    const statement = `SELECT a.pid::text, a.usename::text AS user, a.application_name AS application, a.client_addr::text AS address, a.backend_start::text AS since
      FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
      WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1
        AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND ((l.classid::bigint << 32) | l.objid::bigint) = $1`;
    const [row] = await ask(statement, [id], "Cannot lock the state");
    return row;
  }

  async function forceUnlock(): Promise<Diagnostic> {
    const summary = "The state cannot be unlocked";
    const [row] = await ask(`SELECT id FROM ${table} WHERE name = $1`, [workspace], summary);
    const id = row === undefined ? creationLock(settings.schema, settings.table) : String(row.id);
    const session = await sessionHolding(id);
    return session === undefined
      ? errorDiagnostic("The state is not locked", `Nobody holds the lock of ${name}.`)
      : errorDiagnostic(
          summary,
          `A lock in PostgreSQL belongs to a session and ends with it. End that one in the database: SELECT pg_terminate_backend(${session.pid}).`,
        );
  }

  /** Makes what is missing, unless that was not wanted. */
  async function prepare(summary: string): Promise<void> {
    const { skips, schema, index } = settings;
    if (!skips.schema) {
      // Who may not make schemas may use one that is there.
      const there = "SELECT 1 FROM information_schema.schemata WHERE schema_name = $1";
      const found = await ask(there, [schema], summary);
      if (found.length === 0) await ask(`CREATE SCHEMA IF NOT EXISTS ${quoted(schema)}`, [], summary);
    }
    if (!skips.table) {
      // One sequence for all schemas: an advisory lock is the whole database's.
      const sequence = "public.global_states_id_seq";
      await ask(`CREATE SEQUENCE IF NOT EXISTS ${sequence} AS bigint`, [], summary);
      const columns = `id bigint NOT NULL DEFAULT nextval('${sequence}') PRIMARY KEY, name text UNIQUE, data text`;
      await ask(`CREATE TABLE IF NOT EXISTS ${table} (${columns})`, [], summary);
    }
    if (!skips.index)
      await ask(`CREATE UNIQUE INDEX IF NOT EXISTS ${quoted(index)} ON ${table} (name)`, [], summary);
  }

  async function ask(
    statement: string,
    values: readonly string[],
    summary: string,
  ): Promise<readonly QueryResultRow[]> {
    if (isLost && isLocked)
      throw new PlaceError(summary, `${name}: the connection was lost, and the lock with it.`);
    try {
      client ??= await connect();
      return (await client.query(statement, [...values])).rows;
    } catch (error) {
      const failure = new PlaceError(summary, `${name}: ${problemText(error)}.`);
      failure.cause = error;
      throw failure;
    }
  }

  async function connect(): Promise<Client> {
    const { Client } = await import("pg");
    const { connection } = settings;
    const opened = new Client({
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

  async function close(): Promise<void> {
    const closing = client;
    client = undefined;
    isLocked = false;
    await closing?.end().catch(() => undefined);
  }
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** No table, no schema: nothing was stored yet. */
const isMissing = (error: unknown): boolean =>
  error instanceof PlaceError &&
  /^(?:42P01|3F000)$/.test(String((error.cause as { readonly code?: string } | undefined)?.code));

/** The end of a sentence. PostgreSQL's own words name no password. */
function problemText(error: unknown): string {
  const { message, code } = error as { readonly message?: string; readonly code?: string };
  if (message === "The server does not support SSL connections")
    return "it speaks no TLS. Where that is wanted, say sslmode=disable in the connection string";
  // Five characters: PostgreSQL's; longer ones are the system's.
  return code?.length === 5 && message !== undefined ? `it says "${message}"` : connectionProblem(error);
}
