/**
 * The main job on two real hosts with the embedded engine, through the built command.
 */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { describeLab, labHosts } from "../lab/for-tests.ts";
import { type EngineDriver, mainJob, type Outcome } from "./scenario.ts";

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

const embedded: EngineDriver = {
  prepare: async () => undefined,
  plan: (directory, ...options) => conn3x(directory, "plan", "-detailed-exitcode", ...options),
  apply: (directory, ...options) => conn3x(directory, "apply", "-auto-approve", ...options),
  destroy: (directory) => conn3x(directory, "destroy", "-auto-approve"),
};

describeLab("embedded engine", () => {
  const lab = labHosts(2);
  mainJob(embedded, () => lab);
});
