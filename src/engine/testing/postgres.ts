/**
 * @module A PostgreSQL server of its own on the loopback, where this machine has the programs: for tests.
 */
import { spawn, spawnSync } from "node:child_process";
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface PostgresServer {
  /** Connection string of a database `state`, without encryption. */
  readonly connection: string;
  /** The password in it. */
  readonly password: string;
  readonly port: number;
  close(): Promise<void>;
}

const versions = "/usr/lib/postgresql";

/** Directory of the programs; undefined, and said aloud, where there are none. */
export function findPostgres(): string | undefined {
  const [newest] = existsSync(versions) ? readdirSync(versions).sort((a, b) => Number(b) - Number(a)) : [];
  const programs = newest === undefined ? undefined : join(versions, newest, "bin");
  if (programs !== undefined && existsSync(join(programs, "initdb"))) return programs;
  console.warn("NO PostgreSQL HERE: the tests of the backend pg ARE SKIPPED (apt-get install postgresql)");
  return undefined;
}

export async function startPostgres(programs: string): Promise<PostgresServer> {
  const directory = mkdtempSync(join(tmpdir(), "conn3x-postgres-"));
  const account = accountFor();
  if (account !== undefined) chownSync(directory, account.uid, account.gid);
  const password = "pass word/1";
  writeFileSync(join(directory, "password"), password, { mode: 0o644 });
  const data = join(directory, "data");
  const options = [
    "-D",
    data,
    "-U",
    "keeper",
    "-A",
    "scram-sha-256",
    "--no-sync",
    "--no-locale",
    "-E",
    "UTF8",
  ];
  run(join(programs, "initdb"), [...options, `--pwfile=${join(directory, "password")}`], account);
  const port = await freePort();
  const sockets = join(directory, "sockets");
  mkdirSync(sockets);
  if (account !== undefined) chownSync(sockets, account.uid, account.gid);
  const settings = { port, listen_addresses: "127.0.0.1", unix_socket_directories: sockets, fsync: "off" };
  const words = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const server = spawn(join(programs, "postgres"), ["-D", data, ...words], {
    ...account,
    cwd: directory,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let log = "";
  await new Promise<void>((resolve, reject) => {
    server.stderr.setEncoding("utf8").on("data", (text: string) => {
      log += text;
      if (log.includes("ready to accept connections")) resolve();
    });
    server.on("exit", () => reject(new Error(log)));
  });
  const login = `keeper:${encodeURIComponent(password)}@127.0.0.1:${port}`;
  run(join(programs, "createdb"), ["-h", "127.0.0.1", "-p", String(port), "-U", "keeper", "state"], account, {
    PGPASSWORD: password,
  });
  return {
    connection: `postgres://${login}/state?sslmode=disable`,
    password,
    port,
    close: () =>
      new Promise((resolve) => {
        server.removeAllListeners("exit").once("exit", () => {
          rmSync(directory, { recursive: true, force: true });
          resolve();
        });
        // At once, whoever is connected.
        server.kill("SIGQUIT");
      }),
  };
}

/** It refuses to run as root. */
function accountFor(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const [, uid, gid] = /^nobody:[^:]*:(\d+):(\d+):/m.exec(readFileSync("/etc/passwd", "utf8")) ?? [];
  return { uid: Number(uid), gid: Number(gid) };
}

function run(
  program: string,
  args: readonly string[],
  account: ReturnType<typeof accountFor>,
  env: NodeJS.ProcessEnv = {},
): void {
  const { status, stderr, error } = spawnSync(program, args, {
    ...account,
    cwd: tmpdir(),
    encoding: "utf8",
    env: { PATH: process.env.PATH, ...env },
  });
  if (status !== 0) throw error ?? new Error(stderr);
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
