/**
 * `validate -json` has a real engine's members, and where both find the same mistake they point to the same place.
 */
import { describe, expect, it } from "vitest";
import { providerSource } from "../../src/compiler/emit/hcl.ts";
import { compileFiles } from "../../src/compiler/testing/compile-files.ts";
import { createProvider } from "../../src/core/create-provider.ts";
import { type ValidateJson, validateJson } from "../../src/diagnostics/json.ts";
import { SourceFile } from "../../src/diagnostics/source.ts";
import { validateConfiguration } from "../../src/engine/validate.ts";
import { kinds } from "../../src/resources/index.ts";
import { createSessionPool } from "../../src/ssh/session-pool.ts";
import { findEngines, titled } from "./engine.ts";
import { providerWorkspaces } from "./provider-workspaces.ts";

const versions = `terraform {\n  required_providers {\n    conn3x = {\n      source = "${providerSource}"\n    }\n  }\n}\n`;

const ephemeral = 'variable "e" {\n  default   = "s"\n  ephemeral = true\n}\n';

/** Each has one mistake, which both find at the same place. */
const mistakes: Readonly<Record<string, string>> = {
  "an unknown argument": 'output "o" {\n  value = 1\n  valu  = 3\n}\n',
  "a default of the wrong type": 'variable "ü" {\n  type    = number\n  default = "mäny"\n}\n',
  "a reference to nothing, after letters of several bytes":
    'locals {\n  ünï = "é 👩‍👩‍👧 ${local.nope} x"\n}\n',
  "an unknown setting": `${versions}resource "conn3x_directory" "a" {\n  path = "/x"\n  mod  = "0755"\n}\n`,
  "an ephemeral value in an output": `${ephemeral}output "o" {\n  value = "x${"$"}{var.e}"\n}\n`,
  "an ephemeral value that is stored": `${versions}${ephemeral}resource "conn3x_directory" "a" {\n  path = "/x"\n  mode = local.m\n}\nlocals {\n  m = var.e\n}\n`,
  "an ephemeral value that counts": `${versions}${ephemeral}resource "conn3x_directory" "a" {\n  count = length(var.e)\n  path  = "/x"\n}\n`,
  "ephemeral keys": `${versions}${ephemeral}resource "conn3x_directory" "a" {\n  for_each = toset([var.e])\n  path     = "/x"\n}\n`,
  "lines that end as on Windows": 'output "o" {\r\n  value = var.missing\r\n}\r\n',
};

function ours(text: string): ValidateJson {
  const configuration = compileFiles([new SourceFile("main.tf", text)], { directory: ".", kinds });
  const provider = createProvider({ sessions: createSessionPool() });
  const beyond = validateConfiguration({ configuration, provider, variables: [] });
  return validateJson([...configuration.diagnostics, ...beyond]);
}

const withoutWords = ({ diagnostics, ...rest }: ValidateJson) => ({
  ...rest,
  warning_count: 0,
  // Of a provider that is taken from a directory an engine warns.
  diagnostics: diagnostics
    .filter(({ severity }) => severity === "error")
    // Engines add whose place it is, and what they know of the values there.
    .map(({ severity, range, snippet }) => ({ severity, range, snippet: { ...snippet, values: [] } })),
});

const engines = findEngines();

it.skipIf(engines.length > 0)("has no engine here to compare with", () => {
  expect(engines).toEqual([]);
});

describe.each(titled(engines))("%s", (_, engine) => {
  const open = providerWorkspaces();

  it.each(Object.entries(mistakes))("points where we do: %s", async (_, text) => {
    const workspace = open(engine, { "main.tf": text });
    const { stdout } = await workspace.run(["validate", "-json"]);
    expect(withoutWords(ours(text))).toEqual(withoutWords(JSON.parse(stdout) as ValidateJson));
  });
});
