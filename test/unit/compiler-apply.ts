/**
 * @module A circuit's text, compiled and applied by the embedded engine.
 */
import { expect } from "vitest";
import { compileFiles } from "../../src/compiler/testing/compile-files.ts";
import { createProvider } from "../../src/core/create-provider.ts";
import { SourceFile } from "../../src/diagnostics/source.ts";
import { startRun } from "../../src/engine/run.ts";
import { kinds } from "../../src/resources/index.ts";
import { createSessionPool } from "../../src/ssh/session-pool.ts";

/** @returns what was planned and done, without complaints: `create conn3x_file.web__note["web1"]` */
export async function applyText(text: string, statePath: string): Promise<readonly string[]> {
  const sessions = createSessionPool();
  const provider = createProvider({ sessions });
  try {
    const run = await startRun({
      configuration: compileFiles([new SourceFile("main.circuit.hcl", text)], { directory: ".", kinds }),
      provider,
      variables: [],
      statePath,
      mode: "normal",
      refresh: true,
      lockTimeout: 0,
      parallelism: 4,
      events: () => undefined,
    });
    try {
      expect(run.diagnostics).toEqual([]);
      const actions = run.plan!.changes.map(({ address, decision }) => `${decision.action} ${address}`);
      const { failed, diagnostics } = await run.apply();
      expect({ failed, diagnostics }).toEqual({ failed: [], diagnostics: [] });
      return actions;
    } finally {
      await run.close();
    }
  } finally {
    await provider.close();
    await sessions.close();
  }
}
