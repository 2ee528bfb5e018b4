/**
 * Circuits and what they compile to, as files. Each `expected.tf` was read by a person, line by line, before it was
 * added: it is what the compiler should print, not what it happened to print. The header's lines are not in it.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { compileFiles } from "../../src/compiler/compile.ts";
import { emitHcl } from "../../src/compiler/emit/hcl.ts";
import type { Configuration } from "../../src/compiler/model.ts";
import { hasErrors } from "../../src/diagnostics/diagnostic.ts";
import { SourceFile } from "../../src/diagnostics/source.ts";
import { formatText } from "../../src/hcl/format.ts";
import { kinds } from "../../src/resources/index.ts";

const fixtures = join(import.meta.dirname, "../fixtures/circuits");

const compile = (text: string, name = "main.circuit.hcl"): Configuration =>
  compileFiles([new SourceFile(name, text)], { directory: ".", kinds });

describe.each(readdirSync(fixtures).sort())("circuit %s", (name) => {
  const read = (file: string): string => readFileSync(join(fixtures, name, file), "utf8");
  const configuration = compile(read("main.circuit.hcl"));
  const outputs = emitHcl(configuration);

  it("has no errors", () => {
    expect(configuration.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  });

  it("compiles to what is expected", () => {
    expect(withoutHeader(outputs.get("main.circuit.tf")!)).toBe(read("expected.tf"));
  });

  it("compiles to text in canonical form", () => {
    expect(formatText(outputs.get("main.circuit.tf")!)).toBe(outputs.get("main.circuit.tf"));
  });

  it("compiles to a configuration that the compiler reads as the same resources", () => {
    const reread = compile(outputs.get("main.circuit.tf")!, "main.tf");
    expect(hasErrors(reread.diagnostics)).toBe(false);
    const shape = ({ resources, locals }: Configuration) => ({
      resources: resources.map(({ address, dependsOn }) => ({ address, dependsOn })).sort(byAddress),
      locals: [...locals.keys()].sort(),
    });
    expect(shape(reread)).toEqual(shape(configuration));
  });

  it("is compiled to the same wherever it is compiled from", () => {
    expect(emitHcl(compile(read("main.circuit.hcl"), "/some/where/main.circuit.hcl"))).toEqual(outputs);
  });
});

const withoutHeader = (text: string): string => text.split("\n").slice(3).join("\n");

const byAddress = (a: { readonly address: string }, b: { readonly address: string }): number =>
  a.address < b.address ? -1 : 1;

describe("the override file", () => {
  it("names the provider by its full address", () => {
    const outputs = emitHcl(compile('circuit "a" {\n  hosts = {}\n}\n'));
    expect(withoutHeader(outputs.get("conn3x_override.tf")!)).toBe(
      'terraform {\n  required_providers {\n    conn3x = {\n      source = "registry.opentofu.org/conn3x/conn3x"\n    }\n  }\n}\n',
    );
  });

  it("is not written where there is no circuit file", () => {
    expect(emitHcl(compile("locals {\n}\n", "main.tf"))).toEqual(new Map());
  });
});
