/**
 * The contract suite through the wire: the same calls as in process, to the bundled provider's own process.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, vi } from "vitest";
import { bundleProvider } from "../../provider/testing/bundle.ts";
import { type DemoHost, startDemoHost } from "../../src/demo/host/demo-host.ts";
import { contractCases, furtherCases } from "./kinds.ts";
import { lifecycleSuite } from "./lifecycle.ts";
import { openWireProvider } from "./wire-provider.ts";

// Each kind has a process of its own.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let host: DemoHost;
let keys: string;
let bundled: Awaited<ReturnType<typeof bundleProvider>>;

beforeAll(async () => {
  bundled = await bundleProvider("provider/main.ts");
  host = await startDemoHost();
  keys = mkdtempSync(join(tmpdir(), "conn3x-contract-"));
  writeFileSync(join(keys, "key"), host.privateKey, { mode: 0o600 });
});

afterAll(async () => {
  await host.close();
  rmSync(keys, { recursive: true, force: true });
  rmSync(bundled.directory, { recursive: true, force: true });
});

lifecycleSuite(
  () => ({
    ssh: {
      address: host.address,
      port: host.port,
      user: host.user,
      private_key_file: join(keys, "key"),
      host_key: host.hostKey,
      agent: false,
    },
    shell: async (script) => spawnSync("/bin/sh", ["-c", script]).status ?? 128,
    makeRoot: async () => mkdtempSync(join(host.root, "case-")),
  }),
  [...contractCases, ...furtherCases],
  () => openWireProvider(bundled.program),
);
