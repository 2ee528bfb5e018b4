/**
 * The contract suite through the wire: the same calls as in process, to the bundled provider's own process.
 */
import { rmSync } from "node:fs";
import { afterAll, beforeAll, vi } from "vitest";
import { bundleProvider } from "../../provider/testing/bundle.ts";
import { demoStage } from "../../src/kind/testing/demo-stage.ts";
import { lifecycleSuite } from "../../src/kind/testing/lifecycle.ts";
import { contractCases, furtherCases, serviceCases } from "./kinds.ts";
import { openWireProvider } from "./wire-provider.ts";

// Each kind has a process of its own.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let bundled: Awaited<ReturnType<typeof bundleProvider>>;
beforeAll(async () => {
  bundled = await bundleProvider("provider/main.ts");
});
afterAll(() => rmSync(bundled.directory, { recursive: true, force: true }));

lifecycleSuite(
  demoStage({ units: ["web.service", "worker.service"] }),
  [...contractCases, ...furtherCases, ...serviceCases],
  () => openWireProvider(bundled.program),
);
