/**
 * @module The command and the provider, bundled for one test file, so that no build replaces them while its tests run.
 */
import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll } from "vitest";
import type { Outcome } from "./scenario.ts";

export interface Bundled {
  /** Path of the command; there in tests and hooks only. */
  readonly file: string;
  /** Path of the provider. */
  provider(): string;
  /** Runs the command in a directory, without a terminal. */
  run(directory: string, args: readonly string[]): Promise<Outcome>;
}

const root = join(import.meta.dirname, "../..");

/** To be called at the top of a test file. */
export function bundledProgram(): Bundled {
  const directory = mkdtempSync(join(tmpdir(), "conn3x-bundled-"));
  const file = join(directory, "conn3x.cjs");
  const provider = join(directory, "terraform-provider-conn3x");
  beforeAll(async () => {
    const bundle = (entry: string, outfile: string) =>
      build({
        absWorkingDir: root,
        entryPoints: [entry],
        outfile,
        bundle: true,
        platform: "node",
        target: "node20",
        format: "cjs",
        external: ["*.node", "cpu-features"],
        define: { CONN3X_VERSION: '"1.2.3"' },
        banner: { js: "#!/usr/bin/env node" },
        logLevel: "error",
      });
    await Promise.all([bundle("src/cli/main.ts", file), bundle("provider/main.ts", provider)]);
    chmodSync(provider, 0o755);
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  return {
    file,
    provider: () => provider,
    run: (cwd, args) =>
      new Promise((resolve) => {
        const child = spawn(process.execPath, [file, ...args], { cwd, stdio: ["ignore", "pipe", "pipe"] });
        let output = "";
        for (const stream of [child.stdout, child.stderr]) {
          stream.on("data", (chunk) => {
            output += chunk;
          });
        }
        child.on("close", (status, signal) =>
          resolve({ status: status ?? 128, output: signal === null ? output : `${output}(${signal})` }),
        );
      }),
  };
}
