/**
 * A step or a handler that was not understood is missed by nobody; every other name that nothing has is an error.
 */
import { expect, it } from "vitest";
import { SourceFile } from "../../diagnostics/source.ts";
import { compileFiles } from "../testing/compile-files.ts";
import { testKinds } from "../testing/kinds.ts";

const file = '    file {\n      path = "/x"\n    }\n';
const users = `  step "user" {
${file}    when   = step.lost.changed || step.nope.changed
    notify = [handler.lost, handler.nope]
  }
`;

/** What is said of names in a circuit with the blocks, and of a circuit's resources. */
function unknown(blocks: string): readonly string[] {
  const text = `circuit "web" {\n  hosts = { a = "10.0.0.1" }\n${blocks}${users}}\noutput "o" {\n  value = [conn3x_file.web__lost, conn3x_file.web__nope]\n}\n`;
  const { diagnostics } = compileFiles([new SourceFile("main.circuit.hcl", text)], {
    directory: ".",
    kinds: testKinds,
  });
  return diagnostics.map(({ summary }) => summary).filter((summary) => /nope|lost/.test(summary));
}

const nope = ['Unknown step "nope"', 'Unknown handler "nope"', 'There is no conn3x_file "web__nope"'];

it.each<[what: string, blocks: string, ...wanted: string[]]>([
  ["a misspelt type of block, which may be either", `  stpe "lost" {\n${file}  }\n`, ...nope],
  [
    "a step with two names",
    `  step "lost" "file" {\n${file}  }\n`,
    'Unknown step "nope"',
    'Unknown handler "lost"',
    ...nope.slice(1),
  ],
  [
    "a handler with two names",
    `  handler "lost" "reload" {\n${file}  }\n`,
    'Unknown step "lost"',
    'Unknown step "nope"',
    ...nope.slice(1),
  ],
  [
    "a step without a name, which may have any",
    `  step {\n${file}  }\n`,
    'Unknown handler "lost"',
    'Unknown handler "nope"',
  ],
  [
    "a name twice",
    `  step "twice" {\n${file}  }\n  step "twice" {\n${file}  }\n`,
    'Unknown step "lost"',
    'Unknown step "nope"',
    'Unknown handler "lost"',
    'Unknown handler "nope"',
    'There is no conn3x_file "web__lost"',
    'There is no conn3x_file "web__nope"',
  ],
])("%s", (_, blocks, ...wanted) => {
  expect([...unknown(blocks)].sort()).toEqual([...wanted].sort());
});

it("a handler of which a misspelt step may tell is not said to be told by nobody", () => {
  const text = `circuit "web" {\n  hosts = { a = "10.0.0.1" }\n  stpe "s" {\n${file}    notify = [handler.h]\n  }\n  handler "h" {\n    command {\n      run = "true"\n    }\n  }\n}\n`;
  const { diagnostics } = compileFiles([new SourceFile("main.circuit.hcl", text)], {
    directory: ".",
    kinds: testKinds,
  });
  expect(diagnostics.map(({ summary }) => summary)).toEqual(['Unknown block "stpe"']);
});
