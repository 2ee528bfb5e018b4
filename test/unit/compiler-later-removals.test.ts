/** What a package step is told of the packages that later steps of its circuit remove. */
import { describe, expect, it } from "vitest";
import { emitHcl } from "../../src/compiler/emit/hcl.ts";
import { compileFiles } from "../../src/compiler/testing/compile-files.ts";
import { SourceFile } from "../../src/diagnostics/source.ts";
import { kinds } from "../../src/resources/index.ts";

const compile = (...steps: readonly string[]) => {
  const text = `circuit "web" {\n  hosts = { h = "10.0.0.1" }\n${steps.join("\n")}\n}\n`;
  const configuration = compileFiles([new SourceFile("main.circuit.hcl", text)], { directory: ".", kinds });
  const output = emitHcl(configuration).get("main.circuit.tf") ?? "";
  return {
    diagnostics: configuration.diagnostics.map(({ summary, severity }) => [severity, summary]),
    lists: [...output.matchAll(/^ *removed_later += flatten\(\[\n?([\s\S]*?)\]\)$/gm)].map(([, list]) =>
      list!.trim().replace(/\s+/g, " "),
    ),
  };
};
const pack = (name: string, settings: string, around = "") =>
  `  step "${name}" {\n${around}    package {\n      ${settings}\n    }\n  }`;
const mta = pack("mta", 'name = "postfix"');

describe("a package step", () => {
  it.each([
    ["one", pack("b", 'name = "exim4"\n      state = "absent"'), ['["exim4"]']],
    ["several, purged", pack("b", 'names = ["a", "b"]\n      state = "purged"'), ['["a", "b"]']],
    [
      "with keys",
      pack("b", 'name = each.key\n      state = "absent"', '    for_each = toset(["a"])\n'),
      ['[for conn3x_key, conn3x_value in toset(["a"]) : [conn3x_key]]'],
    ],
    [
      "depending on the host",
      pack("b", 'name = "a"\n      state = host.vars.state'),
      expect.arrayContaining([expect.stringContaining('contains(["absent", "purged"], coalesce(')]),
    ],
    [
      "on some hosts",
      pack("b", 'name = "a"\n      state = "absent"', "    when = host.vars.old\n"),
      expect.arrayContaining([expect.stringContaining("for conn3x_name in")]),
    ],
  ])("is told of later removals: %s", (_, later, lists) => {
    const compiled = compile(mta, later);
    expect(compiled.diagnostics).toEqual([]);
    // One with keys is told of its own instances as well.
    expect(compiled.lists.slice(0, 1)).toEqual(lists);
  });

  it.each([
    ["earlier steps", [pack("b", 'name = "a"\n      state = "absent"'), mta]],
    ["what is present", [mta, pack("b", 'name = "a"\n      state = "present"'), pack("c", 'name = "c"')]],
    [
      "what refers to a step that is not there yet",
      [mta, pack("b", 'name = "a"'), pack("c", 'name = "x-${step.b.version}"\n      state = "absent"')],
    ],
    ["files", ['  step "f" {\n    file {\n      path = "/a"\n      content = ""\n    }\n  }', mta]],
  ])("is told nothing of %s", (_, steps) => {
    expect(compile(...steps).lists.slice(0, 1)).toEqual([]);
  });

  it("does not let anybody write the list", () => {
    const own = pack("b", 'name = "a"\n      removed_later = ["x"]');
    expect(compile(own).diagnostics).toEqual([["error", expect.stringContaining('"removed_later"')]]);
  });

  it("with keys is told of its own instances", () => {
    const own = pack("b", 'name = each.key\n      state = "absent"', '    for_each = toset(["a", "b"])\n');
    expect(compile(own).lists).toEqual([
      '[for conn3x_key, conn3x_value in toset(["a", "b"]) : [conn3x_key]]',
    ]);
  });
});
