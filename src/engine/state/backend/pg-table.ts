/**
 * @module The table of OpenTofu's backend `pg`, which is made where it is missing.
 * Source: https://opentofu.org/docs/language/settings/backends/pg/
 */
import type { PgSession } from "./pg-session.ts";
import type { PgSettings } from "./pg-settings.ts";

/** `"schema"."table"`, as it is written in statements. */
export const tableOf = ({ schema, table }: PgSettings): string => `${quoted(schema)}.${quoted(table)}`;

/** One sequence for all schemas: advisory locks belong to the whole database. */
const sequence = "public.global_states_id_seq";

/**
 * Makes the schema, the table and its index, except for what the settings skip.
 *
 * @param summary of the error where that fails
 * @throws PlaceError
 */
export async function prepareTable({ ask }: PgSession, settings: PgSettings, summary: string): Promise<void> {
  const { skips, schema, index } = settings;
  const table = tableOf(settings);
  if (!skips.schema) {
    // Users that may not make a schema may use an existing one.
    const existing = "SELECT 1 FROM information_schema.schemata WHERE schema_name = $1";
    const found = await ask(existing, [schema], summary);
    if (found.length === 0) await ask(`CREATE SCHEMA IF NOT EXISTS ${quoted(schema)}`, [], summary);
  }
  if (!skips.table) {
    await ask(`CREATE SEQUENCE IF NOT EXISTS ${sequence} AS bigint`, [], summary);
    const columns = `id bigint NOT NULL DEFAULT nextval('${sequence}') PRIMARY KEY, name text UNIQUE, data text`;
    await ask(`CREATE TABLE IF NOT EXISTS ${table} (${columns})`, [], summary);
  }
  if (!skips.index)
    await ask(`CREATE UNIQUE INDEX IF NOT EXISTS ${quoted(index)} ON ${table} (name)`, [], summary);
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
