import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { toPlain } from "../values/plain.ts";
import { openPlan } from "./open-plan.ts";

const before = process.cwd();
let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "conn3x-api-"));
  process.chdir(directory);
  const text = 'variable "given" {\n  type = any\n}\n\noutput "given" {\n  value = var.given\n}\n';
  writeFileSync("main.tf", text);
});
afterEach(() => {
  delete process.env.TF_WORKSPACE;
  process.chdir(before);
  rmSync(directory, { recursive: true });
});

test.each([["it's ${var.given} %{ if true }"], [12345678901], [null], [true]])(
  "a program's %j is that value, inside of objects and lists as well",
  async (value) => {
    const given = { "a ${b}": [value, { deep: value }] };
    const run = await openPlan({ variables: { given } });
    expect(run.diagnostics).toEqual([]);
    expect(run.plan!.outputs.map(({ after }) => toPlain(after!))).toEqual([given]);
    expect(await run.close()).toEqual([]);
  },
);

test("another workspace's state is not taken for this one's", async () => {
  process.env.TF_WORKSPACE = "prod";
  const run = await openPlan({ variables: { given: 1 } });
  expect(run.plan).toBeUndefined();
  expect(run.diagnostics).toMatchObject([{ severity: "error", summary: expect.stringContaining('"prod"') }]);
  await run.close();
  expect(existsSync("terraform.tfstate")).toBe(false);
});
