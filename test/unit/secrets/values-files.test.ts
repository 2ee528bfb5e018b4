/**
 * Files with values of variables, whose lines are shown only as far as they are known not to be secret.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import picocolors from "picocolors";
import { afterAll, describe, expect, it } from "vitest";
import { collectVariables, readAsFarAsPossible } from "../../../src/cli/configuration/variables.ts";
import { compileFiles } from "../../../src/compiler/testing/compile-files.ts";
import { createProvider } from "../../../src/core/create-provider.ts";
import { diagnosticJson } from "../../../src/diagnostics/json.ts";
import { renderDiagnostic } from "../../../src/diagnostics/render.ts";
import { SourceFile } from "../../../src/diagnostics/source.ts";
import { validateConfiguration } from "../../../src/engine/validate.ts";
import { kinds } from "../../../src/resources/index.ts";
import { createSessionPool } from "../../../src/ssh/session-pool.ts";

const directory = mkdtempSync(join(tmpdir(), "conn3x-values-"));
afterAll(() => rmSync(directory, { recursive: true }));

const declared = `variable "tok" {
  sensitive = true
}
variable "once" {
  ephemeral = true
  default   = ""
}
variable "n" {
  type    = number
  default = 1
}
variable "list" {
  type    = list(number)
  default = []
}
`;

/** What is printed of a file with values, for people and as JSON. */
function said(name: string, text: string): { readonly lines: string; readonly json: string } {
  const path = join(directory, name);
  writeFileSync(path, text);
  const given = collectVariables(directory, {}, [{ name: "var-file", value: path }]);
  rmSync(path);
  const configuration = compileFiles([new SourceFile("main.circuit.hcl", declared)], { directory, kinds });
  const found = validateConfiguration({
    configuration,
    provider: createProvider({ sessions: createSessionPool() }),
    variables: readAsFarAsPossible(given, ["tok", "once", "n", "list"]),
  });
  const all = [...given.diagnostics, ...found];
  const options = { colors: picocolors.createColors(false), width: 120 };
  return {
    lines: all.map((one) => renderDiagnostic(one, options)).join(""),
    json: all.map((one) => JSON.stringify(diagnosticJson(one))).join("\n"),
  };
}

describe("a line of a file with values", () => {
  it.each([
    ["x.auto.tfvars.json", '{"tok": "HUSH", "n": "abc"}', '1: {"tok": …, "n": "abc"}'],
    ["x.auto.tfvars.json", '{"n": "abc", "tok": "HUSH"}', '1: {"n": "abc", "tok": …}'],
    ["x.auto.tfvars.json", '{"list": [1, "abc"], "once": ["HUSH"]}', '1: {"list": [1, "abc"], "once": …}'],
    ["terraform.tfvars", 'tok = "HUSH"\nn = "abc"\n', '2: n = "abc"'],
    ["terraform.tfvars", 'list = [1,\n  "abc"]\n', '2:   "abc"'],
    ["other", 'tok = "HUSH"\nn   = "abc"\n', '2: n   = "abc"'],
  ])("in %s: %s", (name, text, line) => {
    const { lines, json } = said(name, text);
    expect(lines).toContain(line);
    expect(lines + json).not.toContain("HUSH");
  });

  // What does not parse may belong to anything.
  it.each([
    ["x.auto.tfvars.json", '{"tok": "HUSH", "n": }'],
    ["x.auto.tfvars.json", '{"tok": "HUSH"'],
    ["x.auto.tfvars.json", '{"tok" "HUSH"}'],
    ["x.auto.tfvars.json", '{"tok: "HUSH"}'],
    ["x.auto.tfvars.json", '{"tok": HUSH}'],
    ["x.auto.tfvars.json", '["HUSH"]'],
    ["x.auto.tfvars.json", '{"tok": {"a": "HUSH", "b": }}'],
    ["x.auto.tfvars.json", '{"tok": "\\qHUSH"}'],
    ["x.auto.tfvars.json", '{"tok": "HUSH", "tok": "HUSH"}'],
    ["terraform.tfvars", 'tok = "HUSH\n'],
    ["terraform.tfvars", 'tok = "HUSH" "HUSH"\n'],
    ["terraform.tfvars", 'tok "HUSH"\n'],
    ["terraform.tfvars", "tok = HUSH\n"],
    ["terraform.tfvars", 'tok = ["HUSH", ]]\n'],
    ["terraform.tfvars", 'tok = upper("HUSH")\n'],
    ["terraform.tfvars", 'tok = "HUSH" + 1\n'],
    ["terraform.tfvars", "tok = <<EOT\nHUSH\n"],
    ["terraform.tfvars", 'tok = { a = "HUSH", b = }\n'],
    ["terraform.tfvars", "n = [1, # HUSH\n"],
    ["terraform.tfvars", 'tok = "HUSH"; n = 2\n'],
    ["terraform.tfvars", 'nothing = "HUSH"\n'],
    ["terraform.tfvars", 'block "HUSH" {\n}\n'],
    ["other", 'tok = "HUSH\n'],
  ])("that is wrong in %s: %j", (name, text) => {
    const { lines, json } = said(name, text);
    expect(lines).not.toBe("");
    expect(lines + json).not.toContain("HUSH");
  });
});
