/**
 * Circuits and what they compile to, as files. Each `expected.tf` was read by a person, line by line, before it was
 * added: it is what the compiler should print, not what it happened to print. The header's lines are not in it.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { emitHcl } from "../../src/compiler/emit/hcl.ts";
import { emitJson } from "../../src/compiler/emit/json.ts";
import { blockJson } from "../../src/compiler/emit/json-body.ts";
import { expressionJson } from "../../src/compiler/emit/json-expression.ts";
import { resourceBlock } from "../../src/compiler/emit/resource-block.ts";
import type { Configuration } from "../../src/compiler/model.ts";
import { compileFiles } from "../../src/compiler/testing/compile-files.ts";
import { hasErrors } from "../../src/diagnostics/diagnostic.ts";
import { SourceFile } from "../../src/diagnostics/source.ts";
import { formatText } from "../../src/hcl/format/format.ts";
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

  it("compiles to JSON that the compiler reads as the same resources and values", () => {
    const reread = compile(emitJson(configuration).get("main.circuit.tf.json")!, "main.tf.json");
    expect(reread.diagnostics).toEqual([]);
    expect(inJson(reread)).toEqual(inJson(configuration));
  });

  it("is compiled to the same wherever it is compiled from", () => {
    expect(emitHcl(compile(read("main.circuit.hcl"), "/some/where/main.circuit.hcl"))).toEqual(outputs);
  });
});

/** Every resource, local value, output and default as JSON, in an order of its own. */
function inJson({ resources, locals, variables, outputs }: Configuration): readonly string[] {
  const named = [...locals.values(), ...outputs.values()];
  const defaults = [...variables.values()].flatMap((one) => (one.default === undefined ? [] : [one.default]));
  return [
    ...resources.map((resource) => JSON.stringify(blockJson(resourceBlock(resource)))),
    ...named.map(({ name, expression }) => JSON.stringify([name, expressionJson(expression)])),
    ...defaults.map((value) => JSON.stringify(expressionJson(value))),
  ].sort();
}

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
