/**
 * Every kind's life with the real engines, which hold the provider's answers to all their rules: a row of the contract
 * table is all that a kind needs. The host is one of this process; each engine is skipped where it is missing.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { bundleProvider } from "../../provider/testing/bundle.ts";
import { type DemoHost, startDemoHost } from "../../src/demo/host/demo-host.ts";
import type { LifeCase } from "../../src/kind/testing/life-case.ts";
import { type Engine, findEngines, titled } from "../engines/engine.ts";
import { actionOf, type JsonValue, type PlanJson } from "../engines/json.ts";
import { jsonConfiguration } from "../engines/json-syntax.ts";
import { openWorkspace, type Workspace } from "../engines/workspace.ts";
import { type ContractCase, contractCases, furtherCases, serviceCases } from "./kinds.ts";

// An engine starts several processes for each of its commands.
vi.setConfig({ testTimeout: 180_000 });

const engines = findEngines();
let provider: { directory: string };
let host: DemoHost;
let workspace: Workspace | undefined;

beforeAll(async () => {
  provider = await bundleProvider("provider/main.ts");
});
afterAll(() => rmSync(provider.directory, { recursive: true, force: true }));
beforeEach(async () => {
  host = await startDemoHost({ units: ["web.service", "worker.service"] });
});
afterEach(async () => {
  workspace?.remove();
  await host.close();
});

interface Instance<R extends LifeCase = LifeCase> {
  readonly row: R;
  readonly name: string;
  readonly address: string;
  readonly root: string;
}

/** One instance for every row, each in a directory of its own. */
const instancesOf = <R extends LifeCase>(rows: readonly R[]): readonly Instance<R>[] =>
  rows.map((row, i) => {
    const name = `row${i}`;
    return { row, name, address: `${row.type}.${name}`, root: mkdtempSync(join(host.root, "case-")) };
  });
const instances = (): readonly Instance<ContractCase>[] => instancesOf(contractCases);

/** Exit status of POSIX sh on the host, which is this machine. */
const shell = (script: string): number => spawnSync("/bin/sh", ["-c", script]).status ?? 128;

type Which = "settings" | "edited" | "another";

/**
 * @param later whether the settings come from another resource of the same plan, so that none of them is known in it but
 *   what must be
 */
function configuration(all: readonly Instance[], which: Which, later = false): string {
  const ssh = {
    address: host.address,
    port: host.port,
    user: host.user,
    private_key_file: join(host.root, "login-key"),
    host_key: host.hostKey,
    agent: false,
  };
  return jsonConfiguration(
    all.map(({ row, name, root }) => ({
      type: row.type,
      name,
      settings: { ...(row[which] ?? row.edited ?? row.settings)(root), ssh },
      ...(later ? { later: Object.keys(row.settings(root)) } : {}),
    })),
  );
}

function open(engine: Engine, all: readonly Instance[]): Workspace {
  writeFileSync(join(host.root, "login-key"), host.privateKey, { mode: 0o600 });
  const text = configuration(all, "settings", true);
  workspace = openWorkspace({ engine, files: { "main.tf.json": text }, provider });
  return workspace;
}

const actions = (all: readonly Instance[], plan: PlanJson | undefined) =>
  Object.fromEntries(all.map(({ address }) => [address, actionOf(plan, address)]));
const each = (all: readonly Instance[], action: string) =>
  Object.fromEntries(all.map(({ address }) => [address, action]));
const proofs = (all: readonly Instance<ContractCase>[]) =>
  all.map(({ row, root }) => shell(row.proof(root)) === 0);

/** Top-level attributes that a read found different. */
function driftOf(plan: PlanJson | undefined, address: string): readonly string[] {
  const change = plan?.resource_drift?.find((drifted) => drifted.address === address)?.change;
  const [before, after] = [attributes(change?.before), attributes(change?.after)];
  return Object.keys(after).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
}

const attributes = (value: JsonValue | undefined): Readonly<Record<string, JsonValue>> =>
  Object.fromEntries(typeof value === "object" && value !== null ? Object.entries(value) : []);

it.skipIf(engines.length === 0)("there are kinds to test", () => {
  expect(contractCases.length).toBeGreaterThan(1);
});

describe.each(titled(engines))("%s", (_, engine) => {
  const apply = async (): Promise<void> => {
    const { status, stdout, stderr } = await workspace!.apply();
    expect(status, stdout + stderr).toBe(0);
  };
  const nothingToDo = async (): Promise<void> => {
    const { status, stdout, stderr } = await workspace!.plan();
    expect(status, stdout + stderr).toBe(0);
  };

  it("creates, sees drift and puts it back, edits, makes again what vanished, destroys", async () => {
    const all = instances();
    const { plan, write, destroy } = open(engine, all);
    expect(actions(all, (await plan()).plan)).toEqual(each(all, "create"));
    await apply();
    expect(proofs(all)).toEqual(all.map(() => true));
    await nothingToDo();

    for (const { row, root } of all) expect(shell(row.drift.script(root))).toBe(0);
    const drifted = await plan();
    expect(actions(all, drifted.plan)).toEqual(each(all, "update"));
    for (const { row, address } of all) {
      expect([...driftOf(drifted.plan, address)].sort(), address).toEqual([...row.drift.paths].sort());
    }
    await apply();
    expect(proofs(all)).toEqual(all.map(() => true));
    await nothingToDo();

    write("main.tf.json", configuration(all, "edited"));
    expect(actions(all, (await plan()).plan)).toEqual(each(all, "update"));
    await apply();
    expect(proofs(all)).toEqual(all.map(() => false));
    await nothingToDo();
    write("main.tf.json", configuration(all, "settings"));
    await apply();

    for (const { row, root } of all) expect(shell(row.vanish(root))).toBe(0);
    expect(actions(all, (await plan()).plan)).toEqual(each(all, "create"));
    await apply();
    expect(proofs(all)).toEqual(all.map(() => true));

    const destroyed = await destroy();
    expect(destroyed.status, destroyed.stderr).toBe(0);
    expect(proofs(all)).toEqual(all.map(() => false));
  });
});

describe.each(titled(engines))("%s", (_, engine) => {
  it("creates, edits, replaces and destroys what has no whole life, and finds nothing to do in between", async () => {
    const all = instancesOf([...furtherCases, ...serviceCases]);
    for (const { row, root } of all) expect(shell(row.prepare?.(root) ?? "true")).toBe(0);
    const { plan, apply, write, destroy } = open(engine, all);
    for (const which of ["settings", "edited", "another"] as const) {
      if (which !== "settings") write("main.tf.json", configuration(all, which));
      if (which === "another") {
        const replaced = all.filter(({ row }) => row.another !== undefined);
        expect(actions(replaced, (await plan()).plan)).toEqual(each(replaced, "delete,create"));
      }
      const applied = await apply();
      expect(applied.status, applied.stdout + applied.stderr).toBe(0);
      const again = await plan();
      expect(again.status, again.stdout + again.stderr).toBe(0);
    }
    const destroyed = await destroy();
    expect(destroyed.status, destroyed.stderr).toBe(0);
  });
});

describe.skipIf(engines.length < 2)("one state, two engines", () => {
  it("each finds nothing to do in what the other made, and can destroy it", async () => {
    const all = instances();
    const [first, second] = engines;
    const made = open(first!, all);
    expect((await made.apply()).status).toBe(0);
    const { directory } = made;
    const other = openWorkspace({ engine: second!, directory, files: {}, provider });
    const planned = await other.plan();
    expect(planned.status, planned.stdout + planned.stderr).toBe(0);
    expect((await other.apply()).status).toBe(0);
    expect((await made.plan()).status).toBe(0);
    expect((await other.destroy()).status).toBe(0);
    expect(proofs(all)).toEqual(all.map(() => false));
  });
});
