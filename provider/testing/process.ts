/**
 * @module Provider processes for a test file: a program, bundled once, started as often as wanted.
 */
import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, vi } from "vitest";
import { bundleProvider } from "./bundle.ts";
import { type StartedProvider, type StartOptions, startProvider } from "./client.ts";

export interface ProviderProcesses {
  /** The bundled program. In tests only. */
  program(): string;
  /** A directory for the file's own use, removed in the end. In tests only. */
  directory(): string;
  /** Starts a process, which is ended after the test whatever happens. */
  start(options?: StartOptions): Promise<StartedProvider>;
}

/**
 * Call it once, at the top of a test file.
 *
 * @param entry the program's source, from the repository's root: the memory provider's by default
 */
export function providerProcesses(entry = "provider/testing/memory-process.ts"): ProviderProcesses {
  // The machine may be busy with other tests, and each test starts processes.
  vi.setConfig({ testTimeout: 60_000 });
  let bundled: { readonly directory: string; readonly program: string };
  let started: StartedProvider[] = [];
  beforeAll(async () => {
    bundled = await bundleProvider(entry);
  });
  afterAll(() => rmSync(bundled.directory, { recursive: true, force: true }));
  afterEach(async () => {
    for (const provider of started) {
      provider.client.close();
      provider.process.kill("SIGKILL");
      await provider.exited;
      rmSync(dirname(provider.socketPath), { recursive: true, force: true });
    }
    started = [];
  });
  return {
    program: () => bundled.program,
    directory: () => bundled.directory,
    async start(options = {}) {
      const environment = {
        CONN3X_MEMORY_HOST: join(bundled.directory, "host.json"),
        ...options.environment,
      };
      const provider = await startProvider(bundled.program, { ...options, environment });
      started.push(provider);
      return provider;
    },
  };
}
