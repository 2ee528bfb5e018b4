/** A state in PostgreSQL: the table, the locks, and what goes wrong there. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { findPostgres, type PostgresServer, startPostgres } from "../../testing/postgres.ts";
import { keysIn, lockTerms, storeAt, storedInstance } from "../../testing/store-at.ts";
import { openStore } from "../open-store.ts";
import { peekState } from "../peek.ts";
import type { StateBackend } from "../state-backend.ts";
import { creationLock } from "./creation-lock.ts";
import { pgBackend } from "./pg-server.ts";
import { pgSettings } from "./pg-settings.ts";
import type { Settings } from "./settings.ts";

const programs = findPostgres();
let server: PostgresServer;
let witness: Client;
let folder: string;
const before = process.cwd();

describe.skipIf(programs === undefined)("with a server", () => {
  beforeAll(async () => {
    server = await startPostgres(programs!);
    witness = new Client(server.connection);
    await witness.connect();
  }, 60_000);
  afterAll(async () => {
    await witness?.end();
    await server?.close();
  });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "conn3x-pg-state-"));
    process.chdir(folder);
  });
  afterEach(async () => {
    process.chdir(before);
    rmSync(folder, { recursive: true });
    await witness.query("DROP SCHEMA IF EXISTS terraform_remote_state CASCADE");
  });

  const stored = async (): Promise<string | undefined> =>
    (await witness.query("SELECT data FROM terraform_remote_state.states WHERE name = 'default'")).rows[0]
      ?.data;

  test("the table is made as OpenTofu makes it, and the row is written", async () => {
    expect(await store(backend(), "x")).toEqual([]);
    expect(keysIn((await stored())!)).toEqual(["x"]);
    const columns = await witness.query(
      "SELECT column_name, data_type, column_default FROM information_schema.columns WHERE table_schema = 'terraform_remote_state' AND table_name = 'states' ORDER BY ordinal_position",
    );
    expect(columns.rows.map((row) => Object.values(row))).toEqual([
      ["id", "bigint", "nextval('global_states_id_seq'::regclass)"],
      ["name", "text", null],
      ["data", "text", null],
    ]);
    expect(await store(backend(), "y")).toEqual([]);
    expect(keysIn((await stored())!)).toEqual(["x", "y"]);
  });

  test("who only looks makes nothing", async () => {
    expect((await peekState(backend())).file).toMatchObject({ serial: 0 });
    await expect(stored()).rejects.toThrow(/does not exist/);
  });

  test("a lock keeps others out, and says in which session it is", async () => {
    await store(backend(), "x");
    const first = backend();
    const { lock } = await first.lock(lockTerms);
    process.chdir(tmpdir());
    const second = backend();
    try {
      const { problem } = await second.lock(lockTerms);
      expect(problem?.summary).toBe("Error acquiring the state lock");
      expect(problem?.detail).toMatch(/user: +keeper.*application: +conn3x.*pg_terminate_backend\(\d+\)/s);
      expect((await second.forceUnlock("x"))?.detail).toMatch(/pg_terminate_backend\(\d+\)/);
      await lock!.release();
      const again = await second.lock(lockTerms);
      expect(await again.lock!.release()).toEqual([]);
    } finally {
      await first.close();
      await second.close();
      rmSync(join(tmpdir(), ".conn3x"), { recursive: true, force: true });
    }
  });

  test("OpenTofu's own locks are respected: on the row, and on the table while there is none", async () => {
    await store(backend());
    const creation = creationLock("terraform_remote_state", "states");
    await witness.query("SELECT pg_advisory_lock($1)", [creation]);
    const at = backend();
    expect((await at.lock(lockTerms)).problem?.summary).toBe("Error acquiring the state lock");
    await witness.query("SELECT pg_advisory_unlock($1)", [creation]);
    await store(backend(), "x");
    await witness.query("SELECT pg_advisory_lock(id) FROM terraform_remote_state.states");
    expect((await at.lock(lockTerms)).problem?.summary).toBe("Error acquiring the state lock");
    await witness.query("SELECT pg_advisory_unlock_all()");
    await at.close();
    // Nothing of ours stayed locked.
    expect(
      (await witness.query("SELECT count(*)::int AS n FROM pg_locks WHERE locktype = 'advisory'")).rows,
    ).toEqual([{ n: 0 }]);
  });

  test("when the connection is lost nothing is written without the lock; what was done is kept and stored later", async () => {
    await store(backend(), "x");
    const at = backend();
    const { lock } = await at.lock(lockTerms);
    const { store: opened } = await openStore(at);
    opened!.put("conn3x_file", "a", storedInstance("y"));
    await witness.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'conn3x'",
    );
    const said = await opened!.close();
    expect(said.map(({ summary }) => summary)).toEqual(["State cannot be saved"]);
    expect(keysIn(readFileSync("errored.tfstate", "utf8"))).toEqual(["x", "y"]);
    await lock!.release();
    await at.close();
    expect(keysIn((await stored())!)).toEqual(["x"]);
    expect(await store(backend())).toEqual([]);
    expect(keysIn((await stored())!)).toEqual(["x", "y"]);
    expect(readdirSync(".conn3x")).toEqual([]);
  });

  test("other names, in a schema that is there", async () => {
    await witness.query('CREATE SCHEMA "odd ""one"');
    const names = { schema_name: 'odd "one', table_name: "t", index_name: "i", skip_schema_creation: true };
    expect(await store(backend(names), "x")).toEqual([]);
    expect((await witness.query('SELECT name FROM "odd ""one".t')).rows).toEqual([{ name: "default" }]);
    await witness.query('DROP SCHEMA "odd ""one" CASCADE');
  });

  test("what is skipped is not made", async () => {
    const at = backend({ skip_table_creation: true, skip_index_creation: true });
    expect((await at.lock(lockTerms)).problem?.detail).toMatch(/it says "relation .* does not exist"/);
    await at.close();
  });

  test.each([
    [
      "a wrong password",
      () => server.connection.replace("pass%20word", "wrong"),
      /password authentication failed/,
    ],
    [
      "TLS that the server has not",
      () => server.connection.replace("?sslmode=disable", ""),
      /sslmode=disable/,
    ],
    [
      "no such database",
      () => server.connection.replace("/state?", "/none?"),
      /database "none" does not exist/,
    ],
    ["nobody there", () => "host=127.0.0.1 port=1 sslmode=disable", /it refuses connections/],
  ])("%s", async (_, connection, expected) => {
    const { problem } = await peekState(backend({ conn_str: connection() }));
    expect(problem?.detail).toMatch(expected);
    expect(problem?.detail).not.toMatch(/word\/1|wrong/);
  });

  const backend = (more: Settings = {}): StateBackend =>
    pgBackend(pgSettings({ conn_str: server.connection, ...more }, {}, refuse)!);
});

const refuse = (problem: { readonly detail: string }): never => {
  throw new Error(problem.detail);
};

async function store(at: StateBackend, ...keys: readonly string[]) {
  try {
    return await storeAt(at, ...keys);
  } finally {
    await at.close();
  }
}
