/**
 * `conn3x compile` in a directory that calls modules: outputs are beside each directory's own circuits.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { bundleProgram, type Program } from "./program.ts";

let program: Program;
let directory: string;

beforeAll(async () => {
  program = await bundleProgram();
});
afterAll(() => program?.remove());

const circuit = 'circuit "web" {\n  hosts = { web1 = "10.0.1.5" }\n}\n';

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "conn3x-modules-"));
  for (const name of ["root/modules/a", "shared"]) mkdirSync(join(directory, name), { recursive: true });
  writeFileSync(join(directory, "root/modules/a/a.circuit.hcl"), circuit);
  writeFileSync(join(directory, "shared/s.circuit.hcl"), circuit);
  return () => rmSync(directory, { recursive: true });
});

const compile = (...args: readonly string[]) =>
  program.run(["compile", ...args], { cwd: join(directory, "root") });
const calls = (...sources: readonly string[]): void => {
  const modules = sources.map((source, at) => `module "m${at}" {\n  source = "${source}"\n}\n`);
  writeFileSync(join(directory, "root/main.circuit.hcl"), circuit + modules.join(""));
};
const names = (path: string): readonly string[] => readdirSync(join(directory, path)).sort();

test("writes them beside the circuits, and removes them with these", async () => {
  calls("./modules/a", "../shared");
  expect(await compile("-check")).toMatchObject({ status: 1 });
  expect(await compile()).toMatchObject({ status: 0, stderr: "" });
  expect(names("root")).toEqual(["conn3x_override.tf", "main.circuit.hcl", "main.circuit.tf", "modules"]);
  expect(names("root/modules/a")).toEqual(["a.circuit.hcl", "a.circuit.tf", "conn3x_override.tf"]);
  expect(names("shared")).toEqual(["conn3x_override.tf", "s.circuit.hcl", "s.circuit.tf"]);
  expect(await compile("-check")).toMatchObject({
    status: 0,
    stdout: "The compiled files are up to date.\n",
  });

  rmSync(join(directory, "root/modules/a/a.circuit.hcl"));
  expect(await compile()).toMatchObject({ status: 0 });
  expect(names("root/modules/a")).toEqual([]);
});

test("writes them in the same places of another directory, if they have one there", async () => {
  calls("./modules/a");
  expect(await compile("-out", "../build")).toMatchObject({ status: 0, stderr: "" });
  expect(names("build")).toEqual(["conn3x_override.tf", "main.circuit.tf", "modules"]);
  expect(names("build/modules/a")).toEqual(["a.circuit.tf", "conn3x_override.tf"]);

  calls("../shared");
  const outside = await compile("-out", "../build");
  expect(outside.status).toBe(1);
  expect(outside.stderr).toContain("../shared has no place in ../build");
});
