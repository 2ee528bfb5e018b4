/**
 * Holds the code to its layers: each folder may import only from the folders named for it here, type imports included.
 */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { describe, expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");

/** What each folder may import from, beside itself. Arrows point one way: the table has no cycle. */
const layers: Readonly<Record<string, readonly string[]>> = {
  values: [],
  diagnostics: ["values"],
  files: [],
  script: [],
  regexp: [],
  schema: ["values"],
  hcl: ["diagnostics"],
  eval: ["diagnostics", "values", "regexp", "hcl"],
  revision: ["diagnostics", "values", "schema"],
  resources: ["diagnostics", "values", "regexp", "schema", "script", "revision"],
  ssh: ["diagnostics", "files", "values", "script"],
  compiler: ["diagnostics", "files", "values", "schema", "hcl", "eval", "resources"],
  core: ["diagnostics", "values", "schema", "script", "revision", "resources", "ssh"],
  engine: ["diagnostics", "files", "values", "schema", "revision", "hcl", "eval", "compiler", "core"],
  provider: ["diagnostics", "files", "values", "schema", "revision", "core", "ssh"],
  tofu: [
    "diagnostics",
    "files",
    "values",
    "schema",
    "revision",
    "eval",
    "compiler",
    "core",
    "ssh",
    "engine",
    "provider",
  ],
  demo: ["diagnostics", "values", "script", "ssh", "compiler", "core", "engine", "cli"],
  cli: [
    "diagnostics",
    "files",
    "values",
    "schema",
    "revision",
    "hcl",
    "eval",
    "compiler",
    "resources",
    "core",
    "ssh",
    "engine",
    "provider",
    "tofu",
  ],
};

/** `cli/commands/demo.ts` starts the demo, and the demo uses the commands: the one pair that knows each other. */
const exceptions = [{ from: "src/cli/commands/demo.ts", to: "demo" }];

/** Folders where an interface and what implements it name each other's types. Everywhere else types count, too. */
const typesInCircles = ["cli", "eval"];

const sources = [...files("src"), ...files("provider")].filter(
  (file) => !/\.test\.ts$|\/testing\//.test(file),
);

function files(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join(folder, name));
}

/** The folder that a file belongs to: `src/core/x.ts` → `core`, `provider/x.ts` → `provider`. */
function layerOf(file: string): string {
  const [first, second] = file.split("/");
  return first === "src" ? second! : first!;
}

/** Relative imports of a file, as paths from the root. */
function importsOf(file: string): readonly string[] {
  const text = readFileSync(join(root, file), "utf8");
  const found = text.matchAll(
    /^\s*(?:import|export)\b[^"';]*?\bfrom\s+"(\.[^"]+)"|\bimport\("(\.[^"]+)"\)|^import "(\.[^"]+)"/gm,
  );
  return [...found].map((match) => normalize(join(dirname(file), match[1] ?? match[2] ?? match[3]!)));
}

describe("import graph", () => {
  test("every folder has its place in the table", () => {
    const folders = new Set(
      sources.filter((file) => file.split("/").length > 2 || !file.startsWith("src")).map(layerOf),
    );
    expect([...folders].filter((folder) => !(folder in layers))).toEqual([]);
    expect(sources.length).toBeGreaterThan(50);
  });

  test("the table has no cycle", () => {
    const done = new Set<string>();
    const visit = (folder: string, path: readonly string[]): void => {
      if (path.includes(folder)) throw new Error(`cycle: ${[...path, folder].join(" → ")}`);
      if (done.has(folder)) return;
      for (const next of layers[folder]!) visit(next, [...path, folder]);
      done.add(folder);
    };
    for (const folder of Object.keys(layers)) visit(folder, []);
  });

  test("every import follows the table", () => {
    const wrong = sources.flatMap((file) =>
      importsOf(file)
        .filter((target) => {
          const from = layerOf(file);
          const to = layerOf(target);
          if (from === to || exceptions.some((exception) => exception.from === file && exception.to === to))
            return false;
          return !layers[from]?.includes(to);
        })
        .map((target) => `${file} → ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  test("no file imports itself round a corner", () => {
    const graph = new Map(
      sources.map((file) => [
        file,
        typesInCircles.includes(layerOf(file)) ? runtimeImportsOf(file) : importsOf(file),
      ]),
    );
    const state = new Map<string, "open" | "done">();
    const cycles: string[] = [];
    const visit = (file: string, path: readonly string[]): void => {
      if (state.get(file) === "done") return;
      if (state.get(file) === "open") {
        cycles.push(
          [...path.slice(path.indexOf(file)), file].map((name) => relative("src", name)).join(" → "),
        );
        return;
      }
      state.set(file, "open");
      for (const next of graph.get(file) ?? []) visit(next, [...path, file]);
      state.set(file, "done");
    };
    for (const file of sources) visit(file, []);
    expect(cycles).toEqual([]);
  });
});

/** Imports that remain when types are gone. */
function runtimeImportsOf(file: string): readonly string[] {
  const text = readFileSync(join(root, file), "utf8");
  const found = text.matchAll(/^\s*(?:import|export)\s+(?!type\b)[^"';]*?\bfrom\s+"(\.[^"]+)"/gm);
  return [...found].map((match) => normalize(join(dirname(file), match[1]!)));
}
