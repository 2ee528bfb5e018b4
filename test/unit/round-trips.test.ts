/**
 * How often a host is waited for: in a plan that finds everything as it is wanted once, however many steps there are; in an
 * apply once to look at what a step is about, and once to do it and see that it is done.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadConfiguration } from "../../src/compiler/source/load.ts";
import { createProvider } from "../../src/core/create-provider.ts";
import { type DemoHost, startDemoHost } from "../../src/demo/host/demo-host.ts";
import { startRun } from "../../src/engine/run.ts";
import { kinds } from "../../src/resources/index.ts";
import type { Login } from "../../src/ssh/login/login.ts";
import type { Session } from "../../src/ssh/session.ts";
import { createSessionPool } from "../../src/ssh/session-pool.ts";

let host: DemoHost;
let directory: string;
beforeEach(async () => {
  host = await startDemoHost();
  directory = mkdtempSync(join(tmpdir(), "conn3x-trips-"));
  writeFileSync(join(directory, "key"), host.privateKey, { mode: 0o600 });
});
afterEach(async () => {
  await host.close();
  rmSync(directory, { recursive: true, force: true });
});

const bodies = [
  (path: string) => `directory {\n path = "${path}"\n }`,
  (path: string) => `line {\n path = "${path}"\n line = "x"\n create = true\n }`,
  (path: string) => `file {\n path = "${path}"\n content = "x"\n }`,
];

const circuit = (count: number): string => {
  const login = `{ address = "127.0.0.1", port = ${host.port}, user = "${host.user}", private_key_file = "${directory}/key" }`;
  const steps = Array.from(
    { length: count },
    (_, i) => `step "s${i}" {\n ${bodies[i % bodies.length]!(`${host.root}/s${i}`)}\n}\n`,
  );
  return `circuit "a" {\n hosts = { a = ${login} }\n ssh {\n agent = false\n host_key_checking = "off"\n }\n${steps.join("")}}\n`;
};

/** @returns what the host was asked for a plan, with `acts` for an apply as well */
async function trips(acts: boolean): Promise<Session["counters"]> {
  const pool = createSessionPool();
  const seen = new Set<Session>();
  const session = (login: Login): Session => {
    const found = pool.session(login);
    seen.add(found);
    return found;
  };
  const run = await startRun({
    configuration: await loadConfiguration(directory, { kinds }),
    provider: createProvider({ sessions: { ...pool, session } }),
    variables: [],
    statePath: join(directory, "terraform.tfstate"),
    mode: "normal",
    refresh: true,
    lockTimeout: 0,
    parallelism: 64,
    events: () => undefined,
  });
  expect(run.diagnostics).toEqual([]);
  const action = acts ? "create" : "none";
  expect(new Set(run.plan!.changes.map(({ decision }) => decision.action))).toEqual(new Set([action]));
  if (acts) expect((await run.apply()).failed).toEqual([]);
  await run.close();
  await pool.close();
  const [one, ...others] = [...seen];
  expect(others).toEqual([]);
  return one!.counters;
}

test("a plan without changes waits for its host once, with a question a kind and who it is", async () => {
  writeFileSync(join(directory, "main.circuit.hcl"), circuit(12));
  await trips(true);
  expect(await trips(false)).toMatchObject({ flushes: 1, requests: bodies.length + 1 });
});

test.each([
  ["directory", (path: string) => `directory {\n path = "${path}/in/new"\n }`],
  ["line", (path: string) => `line {\n path = "${path}"\n line = "x"\n create = true\n }`],
  ["file", (path: string) => `file {\n path = "${path}/in/new"\n content = "x"\n }`],
  ["link", (path: string) => `link {\n path = "${path}/in/new"\n target = "/"\n }`],
])("a step that makes a %s, with the directories above it, waits for its host twice", async (_, body) => {
  const step = (name: string) => `step "${name}" {\n ${body(`${host.root}/${name}`)}\n}\n`;
  const applied = async (...names: string[]) => {
    rmSync(join(directory, "terraform.tfstate"), { force: true });
    writeFileSync(
      join(directory, "main.circuit.hcl"),
      circuit(0).replace(/}\n$/, `${names.map(step).join("")}}\n`),
    );
    return trips(true);
  };
  const [two, four] = [await applied("a", "b"), await applied("c", "d", "e", "f")];
  expect(four.flushes - two.flushes).toBe(4);
  expect(four.channels).toBe(two.channels);
});
