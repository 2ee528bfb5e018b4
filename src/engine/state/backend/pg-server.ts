/**
 * @module A state in a PostgreSQL database, in the table of OpenTofu's backend `pg` and with its locks, so that both
 * engines can share it: a row for each workspace, of which this is `default`; an advisory lock on the row's id, and one on
 * the table while there is no row.
 * Source: https://opentofu.org/docs/language/settings/backends/pg/
 */
import { type Diagnostic, errorDiagnostic } from "../../../diagnostics/diagnostic.ts";
import { BackendError, type StateBackend } from "../state-backend.ts";
import { creationLock } from "./creation-lock.ts";
import { heldBy, sessionHolding } from "./pg-lock-holder.ts";
import { pgSession } from "./pg-session.ts";
import type { PgSettings } from "./pg-settings.ts";
import { prepareTable, tableOf } from "./pg-table.ts";
import { remoteBackend, type ServerLock, type StateServer } from "./state-server.ts";
import { unprotected } from "./unprotected.ts";

/** The only workspace that the embedded engine has. */
const workspace = "default";

export function pgBackend(settings: PgSettings): StateBackend {
  const { host, port, database } = settings.connection;
  const where = `${host}:${port}/${database}`;
  const table = `${settings.schema}.${settings.table}`;
  return remoteBackend("pg", `${where} ${table}`, pgServer(settings, `postgres://${where} (${table})`));
}

const cautionOf = ({ connection: { host, ssl } }: PgSettings): Diagnostic | undefined =>
  unprotected(
    host,
    ssl === false
      ? "The database is reached without encryption (sslmode=disable)"
      : ssl.rejectUnauthorized === false
        ? "The database's certificate is not looked at (sslmode=require)"
        : undefined,
    "Say sslmode=verify-full in the connection string, with sslrootcert for an authority of your own.",
  );

function pgServer(settings: PgSettings, name: string): StateServer {
  const table = tableOf(settings);
  const session = pgSession(settings.connection, name);
  const { ask, close } = session;
  const creation = creationLock(settings.schema, settings.table);

  return { name, caution: cautionOf(settings), read, write, lock, forceUnlock, close };

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
    await prepareTable(session, settings, summary);
    const locking = `SELECT id, pg_try_advisory_lock(id) AS own, pg_try_advisory_lock($1) AS creation FROM ${table} WHERE name = $2`;
    const [row] = await ask(locking, [creation, workspace], summary);
    if (row === undefined) {
      const [made] = await ask("SELECT pg_try_advisory_lock($1) AS own", [creation], summary);
      return made?.own === true ? taken(creation) : held(creation);
    }
    const id = String(row.id);
    // Only a session that makes the row needs the table's lock. Another one that has it is about to make this row.
    if (row.creation === true) await unlock(creation, summary);
    if (row.own === true && row.creation === true) return taken(id);
    if (row.own === true) await unlock(id, summary);
    return held(row.own === true ? creation : id);
  }

  function taken(id: string): ServerLock {
    session.isLocked = true;
    return {
      async release() {
        await unlock(id, "Error releasing the state lock");
        session.isLocked = false;
      },
    };
  }

  async function held(id: string): Promise<ServerLock> {
    return { held: heldBy(await sessionHolding(session, id), name) };
  }

  async function unlock(id: string, summary: string): Promise<void> {
    await ask("SELECT pg_advisory_unlock($1)", [id], summary);
  }

  async function forceUnlock(): Promise<Diagnostic> {
    const summary = "The state cannot be unlocked";
    const [row] = await ask(`SELECT id FROM ${table} WHERE name = $1`, [workspace], summary);
    const holder = await sessionHolding(session, row === undefined ? creation : String(row.id));
    return holder === undefined
      ? errorDiagnostic("The state is not locked", `Nobody holds the lock of ${name}.`)
      : errorDiagnostic(
          summary,
          `A lock in PostgreSQL belongs to a session and ends with it. End that one in the database: SELECT pg_terminate_backend(${holder.pid}).`,
        );
  }
}

/** Whether there is no such table or schema: nothing was stored yet. */
const isMissing = (error: unknown): boolean =>
  error instanceof BackendError &&
  /^(?:42P01|3F000)$/.test(String((error.cause as { readonly code?: string } | undefined)?.code));
