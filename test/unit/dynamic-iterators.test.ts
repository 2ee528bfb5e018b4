/** `dynamic` blocks whose items have a name of their own. */
import { expect, test } from "vitest";
import { compileFiles } from "../../src/compiler/testing/compile-files.ts";
import { createProvider } from "../../src/core/index.ts";
import { SourceFile } from "../../src/diagnostics/source.ts";
import { validateConfiguration } from "../../src/engine/validate.ts";
import { kinds } from "../../src/resources/index.ts";
import { createSessionPool } from "../../src/ssh/index.ts";

function problemsWith(iterator: string, name: string): readonly string[] {
  const text = `resource "conn3x_file" "x" {
  path    = "/a"
  content = "x"
  ssh {
    address = "a"
    dynamic "bastion" {
      for_each = ["b1", "b2"]
      ${iterator}
      content {
        address = ${name}.value
        port    = 22 + ${name}.key
      }
    }
  }
}
`;
  const configuration = compileFiles([new SourceFile("main.tf", text)], { directory: ".", kinds });
  const provider = createProvider({ sessions: createSessionPool() });
  const found = validateConfiguration({ configuration, provider, variables: [] });
  return [...configuration.diagnostics, ...found].map(({ summary }) => summary);
}

test.each<[string, string, readonly string[]]>([
  ["", "bastion", []],
  ["iterator = hop", "hop", []],
  ["iterator = hop", "bastion", ["Unknown variable", "Unknown variable"]],
  ["iterator = hop.x", "bastion", ["The iterator is not a single name"]],
])("%s: %s", (iterator, name, wanted) => {
  expect(problemsWith(iterator, name)).toEqual(wanted);
});
