/**
 * What the embedded engine plans from circuits is what a real engine plans from the files that they compile to: every
 * planned value of every instance. Nothing is contacted: nothing exists yet that could be read.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { bundleProvider } from "../../provider/testing/bundle.ts";
import { emitHcl } from "../../src/compiler/emit/hcl.ts";
import { createProvider } from "../../src/core/create-provider.ts";
import { startRun } from "../../src/engine/run.ts";
import { createSessionPool } from "../../src/ssh/session-pool.ts";
import { unmarkDeep } from "../../src/values/marks.ts";
import { isPlainObject, type Plain, toPlain } from "../../src/values/plain.ts";
import { Unknown, type Value } from "../../src/values/value.ts";
import { findEngines } from "../engines/engine.ts";
import { openWorkspace } from "../engines/workspace.ts";
import { asModules, circuitNames, compileCircuit, inputs } from "./circuit-corpus.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 180_000 });

/** Circuits with something that the embedded engine refuses: it says so, which its own tests prove. */
const refused = new Set(["lifecycle-and-removal"]);

const comparable = circuitNames.filter(
  (name) => compileCircuit(name).foreign.length === 0 && !refused.has(name),
);
const [engine] = findEngines();

type Planned = Readonly<Record<string, unknown>>;

/** As OpenTofu's JSON plan has it: an unknown attribute is left out, an unknown element is null. */
function planJson(plain: Plain): unknown {
  if (plain instanceof Unknown) return null;
  if (Array.isArray(plain)) return plain.map(planJson);
  if (!isPlainObject(plain)) return plain;
  const known = Object.entries(plain).filter(([, value]) => !(value instanceof Unknown));
  return Object.fromEntries(known.map(([name, value]) => [name, planJson(value)]));
}

async function planEmbedded(name: string): Promise<Planned> {
  const directory = mkdtempSync(join(tmpdir(), "conn3x-plan-"));
  const sessions = createSessionPool();
  const provider = createProvider({ sessions });
  const input = inputs[name];
  try {
    const run = await startRun({
      configuration: compileCircuit(name),
      provider,
      variables: input === undefined ? [] : [{ ...input, source: "-var" }],
      statePath: join(directory, "terraform.tfstate"),
      mode: "normal",
      refresh: true,
      lockTimeout: 0,
      parallelism: 8,
      events: () => undefined,
    });
    await run.close();
    expect(run.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    const after = (value: Value) => planJson(toPlain(unmarkDeep(value).value));
    return Object.fromEntries(run.plan!.changes.map((change) => [change.address, after(change.after)]));
  } finally {
    await provider.close();
    await sessions.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

describe.skipIf(engine === undefined)("plans of circuits", () => {
  let expected: Planned;
  beforeAll(async () => {
    const provider = await bundleProvider("test/engines/uncompared-process.ts");
    const workspace = openWorkspace({ engine: engine!, files: asModules(emitHcl), provider });
    try {
      await workspace.run(["get"]);
      const { plan, stdout, stderr } = await workspace.plan();
      if (plan === undefined) throw new Error(stdout + stderr);
      expected = Object.fromEntries(
        plan.resource_changes!.map(({ address, change }) => [address, change.after]),
      );
    } finally {
      workspace.remove();
      rmSync(provider.directory, { recursive: true, force: true });
    }
  });
  afterAll(() => vi.resetConfig());

  it("are made of most of the corpus", () => {
    expect(comparable.length).toBeGreaterThan(30);
  });

  it.each(comparable)("%s", async (name) => {
    const prefix = `module.${name}.`;
    const real = Object.entries(expected).filter(([address]) => address.startsWith(prefix));
    expect(await planEmbedded(name)).toEqual(
      Object.fromEntries(real.map(([address, after]) => [address.slice(prefix.length), after])),
    );
  });
});
