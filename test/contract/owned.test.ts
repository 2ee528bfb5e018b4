/**
 * Settings that are left to somebody else, on a host of this process. Where nobody but root may give files away, root's
 * part is for real hosts.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { providerSchema } from "../../src/core/create-provider.ts";
import { type DemoHost, startDemoHost } from "../../src/demo/host/demo-host.ts";
import { ownableSettings } from "../../src/schema/ownable.ts";
import { ownedCases } from "./owned.ts";
import { ownershipSuite } from "./ownership-suite.ts";

let host: DemoHost;
let keys: string;
beforeAll(async () => {
  host = await startDemoHost({ units: ["web.service"] });
  keys = mkdtempSync(join(tmpdir(), "conn3x-owned-"));
  writeFileSync(join(keys, "key"), host.privateKey, { mode: 0o600 });
});
afterAll(async () => {
  await host.close();
  rmSync(keys, { recursive: true, force: true });
});

test("every setting that can be left to somebody else has a row", () => {
  const able = [...providerSchema.resources]
    .filter(([, { blocks }]) => blocks.drift !== undefined)
    .flatMap(([type, schema]) => ownableSettings(schema).map((setting) => `${type}.${setting}`));
  expect(ownedCases.map(({ type, setting }) => `${type}.${setting}`).sort()).toEqual(able.sort());
});

const isRoot = process.getuid?.() === 0;

ownershipSuite(
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
    async makeRoot() {
      rmSync(join(host.root, "run/units/web.service"), { recursive: true, force: true });
      return mkdtempSync(join(host.root, "case-"));
    },
  }),
  ownedCases.filter(({ lab, needsRoot }) => lab !== true && (isRoot || needsRoot !== true)),
);
