/**
 * @module Every setting that can be left to somebody else: their value stands, an edit beside it is made, and then there
 * is nothing to do.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createProvider } from "../../src/core/create-provider.ts";
import type { Provider } from "../../src/core/provider.ts";
import { createDriver, type Stored } from "../../src/kind/testing/harness.ts";
import type { Stage } from "../../src/kind/testing/lifecycle.ts";
import { schemaType } from "../../src/schema/schema.ts";
import { createSessionPool } from "../../src/ssh/session-pool.ts";
import { fromPlain, type PlainObject } from "../../src/values/plain.ts";
import type { OwnedCase } from "./owned.ts";

/** @param stage gives the host; called in tests only */
export function ownershipSuite(stage: () => Stage, cases: readonly OwnedCase[]): void {
  let provider: Provider;
  beforeAll(() => {
    provider = createProvider({ sessions: createSessionPool() });
  });
  afterAll(() => provider.close());

  describe.each(cases.map((row) => [`${row.type}: ${row.setting}`, row] as const))("%s", (_, row) => {
    const { type, setting } = row;
    test.each<[string, PlainObject]>([
      ["ignore", { ignore: [setting] }],
      ["warn", { mode: "warn" }],
    ])("%s", async (mode, drift) => {
      const root = await stage().makeRoot();
      const driver = createDriver(provider, type);
      const shell = async (script: string) => expect(await stage().shell(script), script).toBe(0);
      const settings = { ...row.settings(root), drift, ssh: stage().ssh };
      const edited = { ...settings, ...row.beside };
      const warnings = async (stored: Stored, config: PlainObject) => {
        const response = await provider.planResource({
          type,
          prior: stored.state,
          priorPrivate: stored.private,
          config: fromPlain(config, schemaType(provider.schema.resources.get(type)!)),
        });
        return response.diagnostics.length;
      };
      await shell(row.prepare?.(root) ?? "true");
      const made = await driver.apply(undefined, settings);
      expect(made.diagnostics).toEqual([]);

      await shell(row.byHand(root));
      const drifted = await driver.read(made);
      expect((await driver.plan(drifted, settings)).decision.action).toBe("none");
      expect((await warnings(drifted, settings)) > 0).toBe(mode === "warn");

      const changed = await driver.apply(drifted, edited);
      expect(changed.diagnostics).toEqual([]);
      expect(changed.decision).toMatchObject({ action: "update", reasons: [{ kind: "config" }] });
      await shell(row.theirs(root));
      await shell(row.done?.(root) ?? "true");

      const after = await driver.read(changed);
      expect((await driver.plan(after, edited)).decision.action).toBe("none");
      expect((await warnings(after, edited)) > 0).toBe(mode === "warn");
      await driver.apply(after, undefined);
    });
  });
}
