/**
 * Every example is valid, and plans without a host: nothing is stored yet that would have to be read.
 */
import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundleProgram, type Program } from "./program.ts";

const examples = join(import.meta.dirname, "../../examples");
let program: Program;
let copies: string;

beforeAll(async () => {
  program = await bundleProgram();
  copies = mkdtempSync(join(tmpdir(), "conn3x-examples-"));
  cpSync(examples, copies, { recursive: true });
});

afterAll(() => {
  program?.remove();
  if (copies !== undefined) rmSync(copies, { recursive: true });
});

/** `plugin` is built first: `test/engines/plugin-package.test.ts` does that. */
test.each(readdirSync(examples).filter((name) => name !== "plugin"))("%s", async (name) => {
  const cwd = join(copies, name);
  expect(await program.run(["validate"], { cwd })).toMatchObject({ status: 0, stderr: "" });
  const planned = await program.run(["plan", "-detailed-exitcode"], { cwd });
  expect(planned).toMatchObject({ status: 2, stderr: "" });
  expect(planned.stdout).toMatch(/^Plan: ([1-9]\d*) of \1 hosts? changes?\. [1-9]\d* new\b/m);
  expect(await program.run(["compile", "-check"], { cwd })).toMatchObject({ status: 1, stderr: "" });
});
