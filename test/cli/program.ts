/**
 * @module The program as users get it, bundled anew from the present sources, and runs of it without a terminal.
 */
import { spawn } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync } from "node:fs";
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
  /** What the program reads on its standard input; nothing when absent. */
  readonly input?: string;
  /** Written to the program when its output has this text. */
  readonly inputOn?: { readonly text: string; readonly input: string };
  /** Called as `watch` is; the program's output is closed when it returns true. */
  readonly close?: (stdout: string) => boolean;
  /** A file that takes the program's output. */
  readonly stdout?: string;
}

export interface Program {
  /** The bundle. */
  readonly file: string;
  run(args: readonly string[], options?: RunOptions): Promise<Outcome>;
  /** Runs another program in the same way: one that runs the bundle. */
  spawn(command: string, args: readonly string[], options?: RunOptions): Promise<Outcome>;
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
    file,
    run: (args, options = {}) => run(process.execPath, [file, ...args], options),
    spawn: (command, args, options = {}) => run(command, args, options),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}

function run(command: string, args: readonly string[], options: RunOptions): Promise<Outcome> {
  const { cwd, env, watch, input, inputOn, close, stdout: path } = options;
  const target = path === undefined ? undefined : openSync(path, "w");
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { PATH: process.env.PATH, HOME: tmpdir(), ...env },
      stdio: [input === undefined && inputOn === undefined ? "ignore" : "pipe", target ?? "pipe", "pipe"],
    });
    let [stdout, stderr] = ["", ""];
    if (input !== undefined) child.stdin?.end(input);
    let answered = false;
    child.stdout?.on("data", (chunk) => {
      stdout += chunk;
      const signal = watch?.(stdout);
      if (signal !== undefined) child.kill(signal);
      if (inputOn !== undefined && !answered && stdout.includes(inputOn.text)) {
        answered = true;
        child.stdin?.write(inputOn.input);
      }
      if (close?.(stdout)) child.stdout?.destroy();
    });
    child.stderr?.on("data", (chunk) => {
      stderr += chunk;
    });
    child.on("error", reject);
    child.on("close", (status) => {
      if (target !== undefined) closeSync(target);
      resolve({ status: status ?? undefined, stdout, stderr });
    });
  });
}
