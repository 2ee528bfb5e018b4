/** `npm run check`: types, lint and format, import graph. Runs them side by side and prints what failed. */
import { spawn } from "node:child_process";

const checks = {
  types: ["tsc", "-p", "."],
  "lint and format": ["biome", "check", "--error-on-warnings", "."],
  "imports and exports": [
    "vitest",
    "run",
    "--project",
    "unit",
    "test/unit/import-graph.test.ts",
    "test/unit/exports.test.ts",
  ],
};

const results = await Promise.all(Object.entries(checks).map(run));
for (const { name, output, status } of results) {
  if (status !== 0) process.stdout.write(`\n${name}:\n${output}`);
  process.stdout.write(`${name}: ${status === 0 ? "fine" : "FAILED"}\n`);
}
process.exitCode = results.every(({ status }) => status === 0) ? 0 : 1;

/** @param {[string, string[]]} check */
function run([name, [program, ...args]]) {
  return new Promise((resolve) => {
    const child = spawn("npx", ["--no-install", program, ...args], { stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    child.stdout.on("data", (chunk) => (output += chunk));
    child.stderr.on("data", (chunk) => (output += chunk));
    child.on("close", (status) => resolve({ name, output, status }));
  });
}
