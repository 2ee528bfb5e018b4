/**
 * Where ephemeral values may be used, and where not: nowhere that is stored, in no key, and in no message.
 */
import { describe, expect, it } from "vitest";
import { compileFiles } from "../../src/compiler/testing/compile-files.ts";
import { createProvider } from "../../src/core/create-provider.ts";
import { SourceFile } from "../../src/diagnostics/source.ts";
import { validateConfiguration } from "../../src/engine/validate.ts";
import { kinds } from "../../src/resources/index.ts";
import { createSessionPool } from "../../src/ssh/session-pool.ts";

const variable = 'variable "e" {\n  type      = string\n  ephemeral = true\n}\n';
const circuit = (body: string, more = ""): string =>
  `${variable}${more}circuit "web" {\n  hosts = { web1 = "10.0.1.5" }\n  ${body}\n}\n`;
const file = (settings: string): string =>
  `step "a" {\n    file {\n      path = "/a"\n      ${settings}\n    }\n  }`;

/** What validation says: `SUMMARY | what is underlined`. */
function said(text: string, value: string | undefined = "s3cret"): readonly string[] {
  const configuration = compileFiles([new SourceFile("main.circuit.hcl", text)], { directory: ".", kinds });
  const provider = createProvider({ sessions: createSessionPool() });
  const variables = value === undefined ? [] : [{ name: "e", text: value, source: "-var" }];
  const found = [
    ...configuration.diagnostics,
    ...validateConfiguration({ configuration, provider, variables }),
  ];
  for (const { detail } of found) expect(detail).not.toContain("s3cret");
  return found.map(
    ({ summary, range }) => `${summary} | ${range?.file.text.slice(range.start, range.end) ?? ""}`,
  );
}

describe("an ephemeral value may be", () => {
  it.each([
    ["secret content", circuit(file('secret_content = "<${var.e}>"'))],
    ["in local values", circuit(file("secret_content = local.x.y"), "locals {\n  x = { y = var.e }\n}\n")],
    ["a secret of a login", circuit(`ssh {\n    password = var.e\n  }\n  ${file('content = "x"')}`)],
    [
      "a secret of a host",
      `${variable}circuit "web" {\n  hosts = { web1 = { address = "10.0.1.5", password = var.e } }\n  ${file('content = "x"')}\n}\n`,
    ],
    [
      "in the provider's configuration",
      circuit(file('content = "x"'), 'provider "conn3x" {\n  ssh {\n    user = var.e\n  }\n}\n'),
    ],
    ["null where it is stored", circuit(file('content = "x"\n      validate = ephemeralasnull(var.e)'))],
    [
      "in a condition",
      `variable "e" {\n  type      = string\n  ephemeral = true\n  validation {\n    condition     = var.e != ""\n    error_message = "Empty."\n  }\n}\n${circuit(file('content = "x"')).replace(variable, "")}`,
    ],
  ])("%s", (_, text) => {
    expect(said(text)).toEqual([]);
    expect(said(text, undefined)).toEqual([]);
  });
});

describe("an ephemeral value may not be", () => {
  const refused = (underlined: string): readonly string[] => [`Ephemeral value not allowed | ${underlined}`];
  it.each([
    ["stored", circuit(file("content = var.e")), "var.e"],
    [
      "a part of what is stored",
      circuit(file('content = "<${local.x}>"'), "locals {\n  x = var.e\n}\n"),
      '"<${local.x}>"',
    ],
    [
      "a setting of a login that is no secret",
      circuit(`ssh {\n    user = var.e\n  }\n  ${file('content = "x"')}`),
      "var.e",
    ],
    ["an output", `${circuit(file('content = "x"'))}output "o" {\n  value = [var.e]\n}\n`, "[var.e]"],
    [
      "an output that says so",
      `${circuit(file('content = "x"'))}output "o" {\n  value     = 1\n  ephemeral = true\n}\n`,
      "1",
    ],
    [
      "keys",
      circuit(
        `step "a" {\n    for_each = toset([var.e])\n    file {\n      path    = "/a"\n      content = "x"\n    }\n  }`,
      ),
      undefined,
    ],
    [
      "a count",
      `${variable}resource "conn3x_file" "a" {\n  count   = length(var.e)\n  path    = "/a"\n  content = "x"\n  ssh {\n    address = "a"\n  }\n}\n`,
      "length(var.e)",
    ],
  ])("%s", (_, text, underlined) => {
    const found = said(text);
    if (underlined !== undefined) expect(found).toEqual(refused(underlined));
    else expect(found.map((one) => one.split(" | ")[0])).toEqual(["Ephemeral value not allowed"]);
  });
});

it("a message that would tell it is not shown", () => {
  const text = circuit(file('content = "x"')).replace(
    "ephemeral = true\n",
    'ephemeral = true\n  validation {\n    condition     = var.e == ""\n    error_message = "No ${var.e}."\n  }\n',
  );
  expect(said(text).map((one) => one.split(" | ")[0])).toEqual(['Variable "e" has an invalid value']);
});
