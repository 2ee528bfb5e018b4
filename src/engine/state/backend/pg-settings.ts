/**
 * @module The settings of the backend `pg`, with OpenTofu's names, defaults and environment variables.
 * Source: https://opentofu.org/docs/language/settings/backends/pg/
 */
import type { Report } from "../../../diagnostics/report.ts";
import { boolType, stringType } from "../../../values/type.ts";
import { type PgConnection, pgConnection } from "./pg-connection.ts";
import { type BackendSpec, type Settings, textOf } from "./settings.ts";

export const pgSpec: BackendSpec = {
  conn_str: { type: stringType, variable: "PG_CONN_STR" },
  schema_name: { type: stringType, variable: "PG_SCHEMA_NAME" },
  table_name: { type: stringType, variable: "PG_TABLE_NAME" },
  index_name: { type: stringType, variable: "PG_INDEX_NAME" },
  skip_schema_creation: { type: boolType, variable: "PG_SKIP_SCHEMA_CREATION" },
  skip_table_creation: { type: boolType, variable: "PG_SKIP_TABLE_CREATION" },
  skip_index_creation: { type: boolType, variable: "PG_SKIP_INDEX_CREATION" },
};

export interface PgSettings {
  readonly connection: PgConnection;
  readonly schema: string;
  readonly table: string;
  readonly index: string;
  /** What is not created when it is missing. */
  readonly skips: { readonly schema: boolean; readonly table: boolean; readonly index: boolean };
}

/** @returns undefined when something is wrong, which was reported */
export function pgSettings(
  settings: Settings,
  environment: NodeJS.ProcessEnv,
  report: Report,
): PgSettings | undefined {
  const text = (name: string, usual: string) => textOf(settings, name) ?? usual;
  const connection = pgConnection(text("conn_str", ""), environment, report);
  return (
    connection && {
      connection,
      schema: text("schema_name", "terraform_remote_state"),
      table: text("table_name", "states"),
      index: text("index_name", "states_by_name"),
      skips: {
        schema: settings.skip_schema_creation === true,
        table: settings.skip_table_creation === true,
        index: settings.skip_index_creation === true,
      },
    }
  );
}
