/**
 * The examples of the language's description are circuits that compile, in canonical form. One that is a part of a
 * circuit stands for a circuit with just that part.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { compileFiles } from "../../src/compiler/testing/compile-files.ts";
import { SourceFile } from "../../src/diagnostics/source.ts";
import { formatText } from "../../src/hcl/format/format.ts";
import { kinds } from "../../src/resources/index.ts";

const text = readFileSync(join(import.meta.dirname, "../../docs/language.md"), "utf8");
const examples = [...text.matchAll(/^```hcl\n([\s\S]*?)^```$/gm)].map(([, example]) => example!);

const hosts = `hosts = { web1 = "10.0.1.5" }\n`;
/** What the example of a compiled resource refers to. */
const locals = `locals {\n  conn3x_web_hosts = {}\n}\n`;

function configurationWith(example: string): string {
  if (example.startsWith("resource")) return locals + example;
  return /^(step|handler)/.test(example) ? `circuit "web" {\n${hosts}${example}}\n` : example;
}

describe("examples of docs/language.md", () => {
  it("are found", () => {
    expect(examples.length).toBeGreaterThan(8);
  });

  it.each(examples)("%s", (example) => {
    const file = new SourceFile("main.circuit.hcl", configurationWith(example));
    const { diagnostics } = compileFiles([file], { directory: ".", kinds });
    expect(diagnostics).toEqual([]);
    expect(formatText(example)).toBe(example);
  });
});

describe("names in docs/language.md", () => {
  /** First column of the table under a heading. */
  const namesUnder = (heading: string): readonly string[] => {
    const section = text.split(`### ${heading}\n`)[1]!.split("\n### ")[0]!;
    return [...section.matchAll(/^\| `([a-z_]+)/gm)].map(([, name]) => name!);
  };

  it("are all settings of a login", () => {
    const { ssh } = kinds.get("conn3x_file")!.schema.blocks;
    const settings = Object.keys(ssh!.attributes).filter((name) => name !== "address" && name !== "login");
    expect([...namesUnder("`ssh`")].sort()).toEqual([...settings].sort());
  });
});
