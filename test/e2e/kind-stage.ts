/**
 * @module One lab host, and the core in this process that works on it: for tests of what kinds do there.
 */
import { afterAll, beforeEach, expect } from "vitest";
import { createProvider } from "../../src/core/create-provider.ts";
import type { Provider } from "../../src/core/provider.ts";
import type { Diagnostic } from "../../src/diagnostics/diagnostic.ts";
import { type Applied, createDriver, type Stored } from "../../src/kind/testing/harness.ts";
import { schemaType } from "../../src/schema/schema.ts";
import { createSessionPool } from "../../src/ssh/session-pool.ts";
import { fromPlain, type PlainObject, toPlain } from "../../src/values/plain.ts";
import { labHosts } from "../lab/for-tests.ts";

/** Call it once, at the top of a test file's `describeLab`. */
export function kindStage() {
  const lab = labHosts(1);
  let provider: Provider;
  // What a run plans is remembered for as long as the provider lives.
  beforeEach(async () => {
    await provider?.close();
    provider = createProvider({ sessions: createSessionPool() });
  });
  afterAll(() => provider?.close());

  const host = () => lab.hosts[0]!;
  const ssh = (more: PlainObject = {}): PlainObject => ({
    address: host().address,
    user: "deploy",
    private_key_file: lab.lab.keyFile,
    host_key: host().hostKey,
    agent: false,
    become: true,
    ...more,
  });
  const driver = (kind: string) => createDriver(provider, `conn3x_${kind}`);
  const apply = (kind: string, settings: PlainObject, stored?: Stored): Promise<Applied> =>
    driver(kind).apply(stored, { ssh: ssh(), ...settings });
  /** Applied without a word. */
  const made = async (kind: string, settings: PlainObject, stored?: Stored): Promise<Applied> => {
    const applied = await apply(kind, settings, stored);
    expect(applied.diagnostics).toEqual([]);
    return applied;
  };
  return {
    host,
    ssh,
    driver,
    apply,
    made,
    provider: () => provider,
    /** What a plan of a new object says. */
    planProblems: async (kind: string, settings: PlainObject): Promise<readonly Diagnostic[]> => {
      const type = `conn3x_${kind}`;
      const objects = schemaType(provider.schema.resources.get(type)!);
      const config = fromPlain({ ssh: ssh(), ...settings }, objects);
      const prior = fromPlain(null, objects);
      return (await provider.planResource({ type, config, prior, priorPrivate: new Uint8Array() }))
        .diagnostics;
    },
    /** What is to be done after another look at the host. */
    again: async (kind: string, settings: PlainObject, stored: Stored) => {
      const read = await driver(kind).read(stored);
      return (await driver(kind).plan(read, { ssh: ssh(), ...settings })).decision.action;
    },
    problem: ({ diagnostics }: Applied): string =>
      diagnostics.map(({ summary, detail }) => `${summary}\n${detail}`).join("\n"),
    object: ({ state }: Stored) => toPlain(state) as PlainObject,
    cat: (path: string) => host().must(`cat '${path}'`),
  };
}
