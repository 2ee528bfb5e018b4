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
import { findEngines } from "./engine.ts";
import { providerWorkspaces } from "./provider-workspaces.ts";

const versions = `terraform {\n  required_providers {\n    conn3x = {\n      source = "${providerSource}"\n    }\n  }\n}\n`;

/** Each has one mistake, which both find at the same place. */
const mistakes: Readonly<Record<string, string>> = {
  "an unknown argument": 'output "o" {\n  value = 1\n  valu  = 3\n}\n',
  "a default of the wrong type": 'variable "ü" {\n  type    = number\n  default = "mäny"\n}\n',
  "a reference to nothing, after letters of several bytes":
    'locals {\n  ünï = "é 👩‍👩‍👧 ${local.nope} x"\n}\n',
  "an unknown setting": `${versions}resource "conn3x_directory" "a" {\n  path = "/x"\n  mod  = "0755"\n}\n`,
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
    .map(({ summary: _summary, detail: _detail, ...place }) => place),
});

const engines = findEngines();

it.skipIf(engines.length > 0)("has no engine here to compare with", () => {
  expect(engines).toEqual([]);
});

describe.each(engines)("$name $version", (engine) => {
  const open = providerWorkspaces();

  it.each(Object.entries(mistakes))("points where we do: %s", async (_, text) => {
    const workspace = open(engine, { "main.tf": text });
    const { stdout } = await workspace.run(["validate", "-json"]);
    expect(withoutWords(ours(text))).toEqual(withoutWords(JSON.parse(stdout) as ValidateJson));
  });
});
