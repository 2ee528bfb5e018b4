/**
 * @module The built command, run as a user runs it.
 */
import { spawn } from "node:child_process";
import { join } from "node:path";
import type { Outcome } from "./scenario.ts";

const program = join(import.meta.dirname, "../../dist/conn3x.cjs");

/** Runs the command in a directory, without a terminal. */
export function conn3x(directory: string, ...args: readonly string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [program, ...args], {
      cwd: directory,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
    });
    child.stderr.on("data", (chunk) => {
      output += chunk;
    });
    child.on("close", (status, signal) =>
      resolve({ status: status ?? 128, output: signal === null ? output : `${output}(${signal})` }),
    );
  });
}
