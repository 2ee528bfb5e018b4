/**
 * @module The corpus of circuits as an engine can take all of it at once: each circuit's outputs as a module.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { providerSource } from "../../src/compiler/emit/hcl.ts";
import type { Configuration } from "../../src/compiler/model.ts";
import { compileFiles } from "../../src/compiler/testing/compile-files.ts";
import { SourceFile } from "../../src/diagnostics/source.ts";
import { kinds } from "../../src/resources/index.ts";

const fixtures = join(import.meta.dirname, "../fixtures/circuits");

/** Circuits that need what is not here: another provider, or a host that says which instances there are. */
const needMore = new Set(["hosts-of-another-provider", "facts-in-for-each"]);

/** Names of the other circuits' directories. */
export const circuitNames: readonly string[] = readdirSync(fixtures)
  .filter((name) => !needMore.has(name))
  .sort();

/** Values for variables without a default, as HCL, by circuit. */
export const inputs: Readonly<Record<string, { readonly name: string; readonly text: string }>> = {
  "hosts-from-variable": { name: "hosts", text: '{ a = "10.0.4.1" }' },
};

/** Modules that circuits name, as far as they have to be there. */
const modules = { "own-dependencies-of-a-first-step/network/main.tf": "" };

/** Nothing answers at the hosts of these circuits: that is to be known soon. */
const impatience = 'provider "conn3x" {\n  ssh {\n    connect_timeout = 0.1\n  }\n}\n';

export function compileCircuit(name: string): Configuration {
  const written = readFileSync(join(fixtures, name, "main.circuit.hcl"), "utf8");
  const text = written.replace(/(connect_timeout\s*=) \d+/g, "$1 0.1");
  const files = [new SourceFile("main.circuit.hcl", text)];
  if (!text.includes('provider "conn3x"')) files.push(new SourceFile("provider.tf", impatience));
  return compileFiles(files, { directory: ".", kinds });
}

/** Files by path. The root's modules are named as the circuits are. */
export function asModules(
  emit: (configuration: Configuration) => ReadonlyMap<string, string>,
): Readonly<Record<string, string>> {
  const files: Record<string, string> = { ...modules };
  let root = `terraform {\n  required_providers {\n    conn3x = {\n      source = "${providerSource}"\n    }\n  }\n}\n${impatience}`;
  for (const name of circuitNames) {
    const input = inputs[name];
    const given = input === undefined ? "" : `  ${input.name} = ${input.text}\n`;
    root += `module "${name}" {\n  source = "./${name}"\n${given}}\n`;
    for (const [file, text] of emit(compileCircuit(name))) files[`${name}/${file}`] = text;
  }
  return { ...files, "main.tf": root };
}
