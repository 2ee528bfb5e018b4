/**
 * @module The contract suite's host where there is no lab: one in this process, reached over loopback.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { type DemoHost, type DemoHostOptions, startDemoHost } from "../../demo/host/demo-host.ts";
import type { Stage } from "./lifecycle.ts";

export interface DemoStageOptions extends DemoHostOptions {
  /** Paths, relative to the host's root, that are removed before each test. */
  readonly clear?: readonly string[];
}

/** Call it once, at the top of a test file. What it gives is there in tests only. */
export function demoStage({ clear = [], ...options }: DemoStageOptions = {}): () => Stage {
  let host: DemoHost;
  let keys: string;
  beforeAll(async () => {
    host = await startDemoHost(options);
    keys = mkdtempSync(join(tmpdir(), "conn3x-contract-"));
    writeFileSync(join(keys, "key"), host.privateKey, { mode: 0o600 });
  });
  afterAll(async () => {
    await host.close();
    rmSync(keys, { recursive: true, force: true });
  });
  return () => ({
    ssh: {
      address: host.address,
      port: host.port,
      user: host.user,
      private_key_file: join(keys, "key"),
      host_key: host.hostKey,
      agent: false,
    },
    shell: async (script) => spawnSync("/bin/sh", ["-c", script]).status ?? 128,
    async makeRoot() {
      for (const path of clear) rmSync(join(host.root, path), { recursive: true, force: true });
      return mkdtempSync(join(host.root, "case-"));
    },
  });
}
