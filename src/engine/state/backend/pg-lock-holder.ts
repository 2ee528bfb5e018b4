/**
 * @module Who holds an advisory lock in a PostgreSQL database.
 */
import type { QueryResultRow } from "pg";
import type { PgSession } from "./pg-session.ts";
import type { HeldElsewhere } from "./state-server.ts";

/**
 * The session that holds the lock; undefined when none does. Columns are strings, and null where the user may not see
 * them.
 *
 * @param id of the lock, in decimal
 */
export async function sessionHolding({ ask }: PgSession, id: string): Promise<QueryResultRow | undefined> {
  const statement = `SELECT a.pid::text, a.usename::text AS user, a.application_name AS application, a.client_addr::text AS address, a.backend_start::text AS since
      FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
      WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1
        AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND ((l.classid::bigint << 32) | l.objid::bigint) = $1`;
  const [row] = await ask(statement, [id], "Cannot lock the state");
  return row;
}

/**
 * What is said about a lock that another session holds.
 *
 * @param name of the state
 */
export function heldBy(session: QueryResultRow | undefined, name: string): HeldElsewhere {
  if (session === undefined)
    return {
      lines: [`Another session of the database has locked the state: ${name}.`],
      remedy: "When you are certain that it does not run any more, end its session in the database.",
    };
  const reported = Object.entries(session).filter(([, value]) => typeof value === "string" && value !== "");
  return {
    lines: [
      "Somebody else is working with this state, in a session of the database:",
      ...reported.map(([member, value]) => `  ${`${member}:`.padEnd(13)} ${value}`),
    ],
    remedy: `When you are certain that it does not run any more, end its session: SELECT pg_terminate_backend(${session.pid}).`,
  };
}
