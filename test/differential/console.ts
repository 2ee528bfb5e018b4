/**
 * @module Expressions through the console of a real engine, all of them in one process.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What stands for the result of an expression that fails. */
export const failure = '"@@ failed"';

export interface Engine {
  readonly name: "tofu" | "terraform";
  /** What the console prints for each expression; {@link failure} where evaluation fails. */
  readonly evaluate: (expressions: readonly string[]) => readonly string[];
}

/** The first engine on the PATH. */
export function findEngine(): Engine | undefined {
  const name = (["tofu", "terraform"] as const).find(
    (candidate) => spawnSync(candidate, ["version"], { stdio: "ignore" }).status === 0,
  );
  return name === undefined ? undefined : { name, evaluate: (expressions) => evaluate(name, expressions) };
}

function evaluate(name: string, expressions: readonly string[]): readonly string[] {
  const directory = mkdtempSync(join(tmpdir(), "conn3x-console-"));
  try {
    // A failing expression would end the console, so none may fail. A line of its own separates the answers.
    const input = expressions.map((expression, i) => `try(${expression}, ${failure})\n"@@ ${i}"\n`).join("");
    const { stdout, stderr } = spawnSync(name, ["console"], {
      cwd: directory,
      input,
      encoding: "utf8",
      maxBuffer: 1 << 28,
      env: { PATH: process.env.PATH, HOME: directory, CHECKPOINT_DISABLE: "1" },
    });
    return expressions.map((expression, i) => {
      const start = i === 0 ? 0 : stdout.indexOf(`"@@ ${i - 1}"\n`) + `"@@ ${i - 1}"\n`.length;
      const end = stdout.indexOf(`"@@ ${i}"\n`);
      if (end === -1) throw new Error(`${name} console gave up at ${expression}:\n${stderr}`);
      return stdout.slice(start, end).replace(/\n$/, "");
    });
  } finally {
    rmSync(directory, { recursive: true });
  }
}
