/** Ephemeral values pass through modules by what is declared for them alone, as with OpenTofu and Terraform. */
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { configurationOf } from "./testing/configuration.ts";
import { type TestEngine, testEngine } from "./testing/engine.ts";

let engine: TestEngine;
beforeEach(() => {
  engine = testEngine();
});
afterEach(() => engine.remove());

const root = (more: string) =>
  `variable "e" {\n  default   = "s3cret"\n  ephemeral = true\n}\nmodule "m" {\n  source = "./m"\n  v      = var.e\n}\n${more}`;
const inner = (variable: string, output: string) =>
  `variable "v" {\n  ${variable}\n}\noutput "o" {\n  value = "<\${var.v}>"\n  ${output}\n}\n`;

async function said(more: string, module: string): Promise<readonly Diagnostic[]> {
  const run = await engine.start("", { configuration: configurationOf(root(more), { "./m": module }) });
  await run.close();
  return run.diagnostics;
}
const underlined = ({ summary, range }: Diagnostic) => [
  summary,
  range?.file.text.slice(range.start, range.end),
];

test("a variable and an output that are declared for them pass them on", async () => {
  const module = inner("ephemeral = true", "ephemeral = true");
  expect(await said("locals {\n  x = module.m.o\n}\n", module)).toEqual([]);
  const [stored] = await said('output "x" {\n  value = module.m.o\n}\n', module);
  expect(underlined(stored!)).toEqual(["Ephemeral value not allowed", "module.m.o"]);
});

test("a variable that is not refuses them where they are given", async () => {
  const found = await said("", inner("type = string", "ephemeral = true"));
  expect(found.map(underlined)).toEqual([["Ephemeral value not allowed", "var.e"]]);
  expect(found[0]!.detail).toContain('Variable "v" of module "m"');
});

test("so does an output", async () => {
  const found = await said("", inner("ephemeral = true", "sensitive = true"));
  expect(found.map(underlined)).toEqual([["Ephemeral value not allowed", '"<${var.v}>"']]);
});
