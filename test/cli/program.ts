/**
 * @module The program as users get it, bundled anew from the present sources, and runs of it without a terminal.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";

export interface Outcome {
  /** Exit code; undefined when a signal ended it. */
  readonly status: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Called with what came on standard output so far; sends a signal to the program when it returns one. */
  readonly watch?: (stdout: string) => NodeJS.Signals | undefined;
}

export interface Program {
  run(args: readonly string[], options?: RunOptions): Promise<Outcome>;
  /** Removes the bundle. */
  remove(): void;
}

const root = join(import.meta.dirname, "../..");

/** Bundles as the build does, into a temporary directory: a test never runs yesterday's program. */
export async function bundleProgram(): Promise<Program> {
  const directory = mkdtempSync(join(tmpdir(), "conn3x-program-"));
  const file = join(directory, "conn3x.cjs");
  await build({
    absWorkingDir: root,
    entryPoints: ["src/cli/main.ts"],
    outfile: file,
    bundle: true,
    platform: "node",
    target: "node20",
    format: "cjs",
    external: ["*.node", "cpu-features"],
    define: { CONN3X_VERSION: '"1.2.3"' },
    logLevel: "error",
  });
  return {
    run: (args, options = {}) => run(file, args, options),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}

function run(file: string, args: readonly string[], { cwd, env, watch }: RunOptions): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [file, ...args], {
      cwd,
      env: { PATH: process.env.PATH, HOME: tmpdir(), ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (chunk) => {
      stdout += chunk;
      const signal = watch?.(stdout);
      if (signal !== undefined) child.kill(signal);
    });
    child.stderr.on("data", (chunk) => {
      stderr += chunk;
    });
    child.on("error", reject);
    child.on("close", (status) => resolve({ status: status ?? undefined, stdout, stderr }));
  });
}
