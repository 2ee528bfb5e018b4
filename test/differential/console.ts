/**
 * @module Expressions through the console of a real engine, many of them in one process.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What stands for the result of an expression that fails. */
export const failure = '"@@ failed"';

export interface Engine {
  readonly name: "tofu" | "terraform";
  /**
   * What the console prints for each expression as an object's attribute, that is with the lines after the first
   * indented by two spaces; {@link failure} where evaluation fails. They may refer to what `configuration` declares.
   * Those that are expected to fail must be told by `mayFail`.
   */
  readonly evaluate: (
    expressions: readonly string[],
    configuration?: string,
    mayFail?: (expression: string) => boolean,
  ) => readonly string[];
}

/** The first engine on the PATH. */
export function findEngine(): Engine | undefined {
  const name = (["tofu", "terraform"] as const).find(
    (candidate) => spawnSync(candidate, ["version"], { stdio: "ignore" }).status === 0,
  );
  return name === undefined
    ? undefined
    : {
        name,
        evaluate: (expressions, configuration = "", mayFail = () => false) =>
          evaluate(name, expressions, configuration, mayFail),
      };
}

/** The console reads lines of at most 64 KiB. */
const longestLine = 60_000;

function evaluate(
  name: string,
  expressions: readonly string[],
  configuration: string,
  mayFail: (expression: string) => boolean,
): readonly string[] {
  const directory = mkdtempSync(join(tmpdir(), "conn3x-console-"));
  try {
    writeFileSync(join(directory, "main.tf"), configuration);
    // Terraform's answers to the last line only.
    const outputs = objectsOf(expressions, mayFail).map((input) =>
      spawnSync(name, ["console"], {
        cwd: directory,
        input,
        encoding: "utf8",
        maxBuffer: 1 << 28,
        env: { PATH: process.env.PATH, HOME: directory, CHECKPOINT_DISABLE: "1" },
      }),
    );
    const stdout = outputs.map((output) => output.stdout).join("");
    const stderr = outputs.map((output) => output.stderr).join("");
    const answers: string[] = [];
    // Each object is printed with one attribute after the other, in the order of their names.
    for (const [, position, answer] of stdout.matchAll(
      /^ {2}"@(\d+)" = ([\s\S]*?)(?=\n {2}"@\d+" = |\n\}$)/gm,
    )) {
      answers[Number(position)] = answer!;
    }
    return expressions.map((expression, i) => {
      const answer = answers[i];
      if (answer === undefined) throw new Error(`${name} console has no answer to ${expression}:\n${stderr}`);
      return answer;
    });
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** A few large objects with an attribute per expression, because a process takes its time. */
function objectsOf(
  expressions: readonly string[],
  mayFail: (expression: string) => boolean,
): readonly string[] {
  const lines: string[] = [];
  let items: string[] = [];
  let length = 0;
  const flush = (): void => {
    lines.push(`{${items.join(",")}}`);
    items = [];
    length = 0;
  };
  for (const [i, expression] of expressions.entries()) {
    // A failure would end the console. But `try` makes a value unknown as a whole where a part of it is.
    const item = mayFail(expression) ? `"@${i}"=try(${expression},${failure})` : `"@${i}"=(${expression})`;
    if (length + item.length > longestLine) flush();
    items.push(item);
    length += Buffer.byteLength(item) + 1;
  }
  flush();
  return lines;
}
