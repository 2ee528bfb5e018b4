/**
 * A state that is elsewhere is everybody's: this engine and the others take turns on it, with no difference in the next
 * plan, and keep each other out.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { httpBackend } from "../../src/engine/state/backend/http-server.ts";
import { httpSettings } from "../../src/engine/state/backend/http-settings.ts";
import { pgBackend } from "../../src/engine/state/backend/pg-server.ts";
import { pgSettings } from "../../src/engine/state/backend/pg-settings.ts";
import { startHttpStateServer } from "../../src/engine/testing/http-state-server.ts";
import { findPostgres, startPostgres } from "../../src/engine/testing/postgres.ts";
import { bundleProgram, type Program } from "../cli/program.ts";
import { openSite, type Site } from "../cli/site.ts";
import { findEngines, titled } from "./engine.ts";

/** Something that keeps a state, running. */
interface Keeper {
  /** Lines of its block, without what is secret. */
  readonly settings: string;
  /** What `-backend-config` gives: a secret. */
  readonly secret: string;
  /** For looking and locking from outside of any program. */
  backend(): ReturnType<typeof httpBackend>;
  close(): Promise<void>;
}

const secret = "pass word/1";

async function httpKeeper(): Promise<Keeper> {
  const server = await startHttpStateServer();
  const login = `Basic ${Buffer.from(`keeper:${secret}`).toString("base64")}`;
  server.answer = ({ headers }) => (headers.authorization === login ? undefined : { status: 401 });
  const { address } = server;
  const locks = { lock_address: address, unlock_address: address };
  return {
    settings: `${server.settings}\nusername = "keeper"`,
    secret: `password=${secret}`,
    backend: () =>
      httpBackend(httpSettings({ address, ...locks, username: "keeper", password: secret }, () => {})!),
    close: server.close,
  };
}

async function pgKeeper(programs: string): Promise<Keeper> {
  const server = await startPostgres(programs);
  return {
    settings: "",
    secret: `conn_str=${server.connection}`,
    backend: () => pgBackend(pgSettings({ conn_str: server.connection }, {}, () => {})!),
    close: server.close,
  };
}

const postgres = findPostgres();
const backends = [
  { type: "http", start: httpKeeper },
  ...(postgres === undefined ? [] : [{ type: "pg", start: () => pgKeeper(postgres) }]),
];

/** A dozen commands each, on a busy machine. */
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

let program: Program;
let site: Site;
let keeper: Keeper;

/** Where this process keeps what it needs for the locks that it takes by itself. */
const folder = mkdtempSync(join(tmpdir(), "conn3x-backends-"));
const before = process.cwd();

beforeAll(async () => {
  program = await bundleProgram();
  process.chdir(folder);
});
afterAll(() => {
  process.chdir(before);
  rmSync(folder, { recursive: true });
  program?.remove();
});

const environment = { TF_CLI_CONFIG_FILE: "/dev/null", CHECKPOINT_DISABLE: "1" };
const conn3x = (...args: readonly string[]) => program.run(args, { cwd: site.directory, env: environment });
const resourcesIn = (text: string) => JSON.parse(text).resources;

describe.each(backends.map(({ type, start }) => [type, start] as const))("backend %s", (type, start) => {
  beforeEach(async () => {
    keeper = await start();
    site = await openSite();
    writeFileSync(join(site.directory, "backend.tf"), block(keeper.settings));
  });
  afterEach(async () => {
    await site?.remove();
    await keeper?.close();
  });

  const block = (settings: string): string => `terraform {\n  backend "${type}" {\n${settings}\n  }\n}\n`;

  const init = async (...more: readonly string[]) => {
    const said = await conn3x("init", `-backend-config=${keeper.secret}`, ...more);
    expect(said, said.stderr).toMatchObject({ status: 0, stderr: "" });
    expect(said.stdout).not.toContain("word/1");
    return said;
  };

  test("is used only after init, whose settings nobody else can read and nothing shows", async () => {
    const early = await conn3x("plan");
    expect(early.status).toBe(1);
    expect(early.stderr).toContain("Backend initialization required");
    await init();
    expect(statSync(join(site.directory, ".conn3x/backend.json")).mode & 0o777).toBe(0o600);
    expect(await conn3x("apply", "-auto-approve")).toMatchObject({ status: 0, stderr: "" });
    expect(existsSync(join(site.directory, "terraform.tfstate"))).toBe(false);
    const listed = await conn3x("state", "list");
    expect(listed.stdout).toContain('conn3x_file.web__page["web1"]');
    expect((await conn3x("state", "show", 'conn3x_file.web__page["web1"]')).stdout).toContain(
      "/srv/site/page",
    );
    expect((await conn3x("output", "-raw", "path")).stdout).toContain("/srv/site/page");
    expect(await conn3x("drift")).toMatchObject({ status: 0 });

    expect((await conn3x("state", "rm", "conn3x_file.web__token")).status).toBe(0);
    expect((await conn3x("state", "list")).stdout).not.toContain("web__token");
    expect((await conn3x("state", "mv", "conn3x_file.web__page", "conn3x_file.web__other")).status).toBe(0);
    expect((await conn3x("state", "list")).stdout).toContain("web__other");
    const pulled = await conn3x("state", "pull");
    const pushed = await program.run(["state", "push", "-"], {
      cwd: site.directory,
      env: environment,
      input: JSON.stringify({ ...JSON.parse(pulled.stdout), serial: 99 }),
    });
    expect(pushed).toMatchObject({ status: 0, stderr: "" });
    expect(JSON.parse((await conn3x("state", "pull")).stdout).serial).toBe(99);
  });

  test("what is locked by somebody is left alone, by every command that writes", async () => {
    await init();
    await conn3x("apply", "-auto-approve");
    const other = keeper.backend();
    const { lock } = await other.lock({ operation: "OperationTypeApply", timeout: 0 });
    try {
      for (const args of [["plan"], ["apply", "-auto-approve"], ["state", "rm", "conn3x_file.web__page"]]) {
        const said = await conn3x(...args);
        expect(said.status).toBe(1);
        expect(said.stderr).toContain("Error acquiring the state lock");
      }
      // Who only looks does not lock.
      expect((await conn3x("drift")).status).toBe(0);
    } finally {
      await lock!.release();
      await other.close();
    }
    expect((await conn3x("plan", "-lock-timeout=5s")).status).toBe(0);
  });

  test("a state that was in a file is copied there when that is asked for, and back", async () => {
    rmSync(join(site.directory, "backend.tf"));
    await conn3x("apply", "-auto-approve");
    writeFileSync(join(site.directory, "backend.tf"), block(keeper.settings));
    const undecided = await conn3x("init", `-backend-config=${keeper.secret}`);
    expect(undecided.status).toBe(1);
    expect(undecided.stderr).toContain("-migrate-state");
    expect((await init("-migrate-state")).stdout).toContain("Copied the state (4 instances)");
    expect(existsSync(join(site.directory, "terraform.tfstate"))).toBe(false);
    expect((await conn3x("plan", "-detailed-exitcode")).status).toBe(0);

    rmSync(join(site.directory, "backend.tf"));
    expect((await conn3x("plan")).stderr).toContain("Backend configuration has changed");
    expect((await conn3x("init", "-migrate-state")).status).toBe(0);
    expect(resourcesIn(readFileSync(join(site.directory, "terraform.tfstate"), "utf8")).length).toBe(4);
    expect((await conn3x("plan", "-detailed-exitcode")).status).toBe(0);
  });

  describe.each(titled(findEngines()))("shared with %s", (_, engine) => {
    /** The engine by itself. */
    const alone = (...args: readonly string[]) =>
      program.spawn(engine.program, args, {
        cwd: site.directory,
        env: { HOME: site.directory, ...environment },
      });
    const driven = (command: string, ...args: readonly string[]) =>
      conn3x(command, `-engine=${engine.program}`, ...args);

    test("each goes on where the other stopped, without a difference", async () => {
      await init();
      expect(await conn3x("apply", "-auto-approve")).toMatchObject({ status: 0, stderr: "" });
      const theirs = await driven("init", `-backend-config=${keeper.secret}`);
      expect(theirs, theirs.stdout + theirs.stderr).toMatchObject({ status: 0 });
      const same = await driven("plan", "-detailed-exitcode");
      expect(same, same.stdout + same.stderr).toMatchObject({ status: 0 });
      expect(resourcesIn((await alone("state", "pull")).stdout)).toEqual(
        resourcesIn((await conn3x("state", "pull")).stdout),
      );

      expect(await driven("apply", "-auto-approve", "-var=text=theirs")).toMatchObject({ status: 0 });
      expect(await conn3x("plan", "-detailed-exitcode", "-var=text=theirs")).toMatchObject({ status: 0 });
      expect(await conn3x("apply", "-auto-approve", "-var=text=ours")).toMatchObject({ status: 0 });
      expect(await driven("plan", "-detailed-exitcode", "-var=text=ours")).toMatchObject({ status: 0 });
      expect(await driven("destroy", "-auto-approve")).toMatchObject({ status: 0 });
      expect((await conn3x("state", "list")).stdout).toBe("");
      expect(await conn3x("plan", "-detailed-exitcode")).toMatchObject({ status: 2 });
    });

    test("a lock that was left is ended by it, in its own words", async () => {
      await init();
      await driven("init", `-backend-config=${keeper.secret}`);
      const ours = keeper.backend();
      const { lock } = await ours.lock({ operation: "OperationTypeApply", timeout: 0 });
      try {
        const ended = await driven("force-unlock", "-force", lock!.info.ID);
        expect(ended, ended.stderr).toMatchObject({ status: 0, stdout: expect.stringContaining("unlocked") });
        // With PostgreSQL a lock is its connection's, and goes with that alone.
        if (type === "pg") return;
        expect((await alone("state", "pull")).status).toBe(0);
        expect((await driven("plan")).status).toBe(0);
      } finally {
        await lock!.release();
        await ours.close();
      }
    });

    test("our lock keeps it out", async () => {
      await init();
      await conn3x("apply", "-auto-approve");
      await driven("init", `-backend-config=${keeper.secret}`);
      const ours = keeper.backend();
      const { lock } = await ours.lock({ operation: "OperationTypeApply", timeout: 0 });
      try {
        const refused = await alone("state", "rm", "conn3x_file.web__page");
        expect(refused.stderr).toContain("Error acquiring the state lock");
      } finally {
        await lock!.release();
        await ours.close();
      }
      expect((await alone("state", "rm", "conn3x_file.web__page")).status).toBe(0);
      expect((await conn3x("state", "list")).stdout).not.toContain("web__page");
    });
  });
});
