/**
 * Holds the README to what really happens: its transcript is the demo's output, its circuit compiles.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const program = join(root, "dist/conn3x.cjs");
const readme = readFileSync(join(root, "README.md"), "utf8");

/** The text of the README's only code block in a language. */
const block = (language: string) => new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(readme)![1]!;

/** What differs from run to run: temporary names. */
const masked = (text: string) =>
  text
    .replace(/\/\S*?conn3x-demo-\w{6}/g, "HOST")
    // The columns and breaks of rows follow from the length of paths.
    .replace(/(?<=\S)(?: {2,}|\n {6}(?=[a-z]))/g, "  ");

describe("README", () => {
  test("the transcript is what the demo shows", () => {
    const { stdout, status } = spawnSync(process.execPath, [program, "demo"], {
      encoding: "utf8",
      timeout: 60_000,
    });
    expect(status, stdout).toBe(0);
    expect(masked(stdout)).toContain(masked(block("text")));
  }, 60_000);

  test("the circuit is valid", () => {
    const directory = mkdtempSync(join(tmpdir(), "conn3x-readme-"));
    try {
      writeFileSync(join(directory, "web.circuit.hcl"), block("hcl"));
      writeFileSync(join(directory, "web.conf.tftpl"), "host = ${host}, workers = ${workers}\n");
      const { stdout, stderr, status } = spawnSync(process.execPath, [program, "validate"], {
        cwd: directory,
        encoding: "utf8",
      });
      expect(status, stdout + stderr).toBe(0);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });
});
