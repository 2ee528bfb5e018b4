/**
 * What a plan says of steps that want one path to be two things: an error, before any host is touched.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { loadConfiguration } from "../../src/compiler/source/load.ts";
import { createProvider } from "../../src/core/create-provider.ts";
import { startRun } from "../../src/engine/run.ts";
import { kinds } from "../../src/resources/index.ts";
import { createSessionPool } from "../../src/ssh/session-pool.ts";

const directory = mkdtempSync(join(tmpdir(), "conn3x-places-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Plans for a host that nobody asks anything. */
async function planned(steps: string): Promise<readonly string[]> {
  const text = `circuit "web" {\n hosts = { a = { address = "127.0.0.1", port = 1 } }\n ssh {\n agent = false\n }\n${steps}}\n`;
  writeFileSync(join(directory, "main.circuit.hcl"), text);
  const run = await startRun({
    configuration: await loadConfiguration(directory, { kinds }),
    provider: createProvider({ sessions: createSessionPool() }),
    variables: [],
    statePath: join(directory, "terraform.tfstate"),
    mode: "normal",
    refresh: false,
    lockTimeout: 0,
    parallelism: 1,
    events: () => undefined,
  });
  await run.close();
  return run.diagnostics.filter(({ severity }) => severity === "error").map(({ summary }) => summary);
}

test("a path that is known only when all is evaluated may be a file or a directory, and not both", async () => {
  const file = 'step "a" {\n file {\n path = "/srv/${host.name}"\n content = ""\n }\n}\n';
  const directoryAt = (path: string) => `step "b" {\n directory {\n path = "${path}"\n }\n}\n`;
  expect(await planned(file + directoryAt("/srv/a"))).toEqual(["One path cannot be two things"]);
  expect(await planned(file + directoryAt("/srv/b"))).toEqual([]);
});
