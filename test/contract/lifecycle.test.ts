/**
 * The contract suite on a host of this process: needs no root and no network but loopback.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { type DemoHost, startDemoHost } from "../../src/demo/host/demo-host.ts";
import { contractCases, furtherCases } from "./kinds.ts";
import { lifecycleSuite } from "./lifecycle.ts";

let host: DemoHost;
let keys: string;

beforeAll(async () => {
  host = await startDemoHost();
  keys = mkdtempSync(join(tmpdir(), "conn3x-contract-"));
  writeFileSync(join(keys, "key"), host.privateKey, { mode: 0o600 });
});

afterAll(async () => {
  await host.close();
  rmSync(keys, { recursive: true, force: true });
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
);
