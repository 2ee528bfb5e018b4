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
  programs: ["diagnostics"],
  script: ["values"],
  regexp: [],
  schema: ["values"],
  hcl: ["diagnostics", "values"],
  eval: ["diagnostics", "files", "values", "regexp", "hcl"],
  revision: ["diagnostics", "values", "schema"],
  login: ["diagnostics", "values", "schema", "script", "ssh"],
  resources: ["diagnostics", "values", "regexp", "schema", "script", "revision", "login"],
  ssh: ["diagnostics", "files", "programs", "values", "script"],
  kind: ["diagnostics", "values", "schema", "script", "revision", "resources"],
  api: ["diagnostics", "revision", "resources", "compiler", "core", "engine", "ssh", "plugins"],
  plugins: ["diagnostics", "files", "resources"],
  compiler: ["diagnostics", "files", "values", "schema", "hcl", "eval", "login", "resources"],
  core: ["diagnostics", "files", "values", "schema", "script", "revision", "login", "resources", "ssh"],
  engine: [
    "diagnostics",
    "files",
    "values",
    "schema",
    "revision",
    "hcl",
    "eval",
    "login",
    "compiler",
    "core",
  ],
  provider: ["plugins", "diagnostics", "files", "values", "schema", "revision", "core", "ssh"],
  tofu: [
    "diagnostics",
    "files",
    "programs",
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
  demo: ["diagnostics", "programs", "values", "script", "ssh", "compiler", "core", "engine", "cli"],
  cli: [
    "plugins",
    "diagnostics",
    "files",
    "programs",
    "values",
    "schema",
    "revision",
    "hcl",
    "eval",
    "login",
    "compiler",
    "resources",
    "core",
    "ssh",
    "engine",
    "provider",
    "tofu",
  ],
};

/** Folders with a front: other folders import their `index.ts` and nothing behind it. */
const fronts = ["compiler", "core", "engine", "login", "ssh"];

/** What each room of the engine may import from, beside itself and the data that all rooms share. */
const engineRooms: Readonly<Record<string, readonly string[]>> = {
  graph: [],
  state: [],
  evaluate: ["graph", "state"],
  decide: ["graph", "state", "evaluate"],
  act: ["state", "evaluate", "decide"],
  saved: ["state", "evaluate", "decide"],
};

/** What flows between the engine's rooms: the plan, the events, the outcome. */
const sharedByRooms = ["apply-outcome", "clock", "event", "event-id", "plan"];

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
  test("programs are started in one place", () => {
    const starting = sources.filter((file) =>
      /^import (?!type)(?!\{ type \w+ \}).*"node:child_process"|require\("(?:node:)?child_process"\)/m.test(
        readFileSync(join(root, file), "utf8"),
      ),
    );
    expect(starting).toEqual(["src/programs/start.ts"]);
  });

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

  test("folders with a front are imported through it", () => {
    const past = sources.flatMap((file) =>
      staticImportsOf(file)
        .filter((target) => {
          const to = layerOf(target);
          return to !== layerOf(file) && fronts.includes(to) && target !== `src/${to}/index.ts`;
        })
        .map((target) => `${file} → ${target}`),
    );
    expect(past).toEqual([]);
  });

  test("what a front offers is used", () => {
    const texts = sources.map((file) => ({ file, text: readFileSync(join(root, file), "utf8") }));
    const unused = fronts.flatMap((front) => {
      const users = texts.filter(({ file }) => layerOf(file) !== front).map(({ text }) => text);
      return namesOf(`src/${front}/index.ts`)
        .filter((name) => !users.some((text) => new RegExp(`\\b${name}\\b`).test(text)))
        .map((name) => `${front}: ${name}`);
    });
    expect(unused).toEqual([]);
  });

  test("the engine's rooms import one another in one direction", () => {
    const roomOf = (file: string): string | undefined => /^src\/engine\/(\w+)\//.exec(file)?.[1];
    const wrong = sources.flatMap((file) => {
      const room = roomOf(file);
      if (room === undefined) return [];
      return importsOf(file)
        .filter((target) => target.startsWith("src/engine/") && roomOf(target) !== room)
        .filter((target) => {
          const to = roomOf(target);
          return to === undefined
            ? !sharedByRooms.some((name) => target === `src/engine/${name}.ts`)
            : !engineRooms[room]?.includes(to);
        })
        .map((target) => `${file} → ${target}`);
    });
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

/** Imports that are there from the start: `import()` loads a file when it is needed, past a front that would load them all. */
function staticImportsOf(file: string): readonly string[] {
  const text = readFileSync(join(root, file), "utf8");
  const found = text.matchAll(/^\s*(?:import|export)\b[^"';]*?\bfrom\s+"(\.[^"]+)"/gm);
  return [...found].map((match) => normalize(join(dirname(file), match[1]!)));
}

/** The names that a front exports. */
function namesOf(front: string): readonly string[] {
  const text = readFileSync(join(root, front), "utf8");
  return [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, names = ""]) =>
    names
      .split(",")
      .map((name) => name.trim().replace(/^type /, ""))
      .filter((name) => name !== ""),
  );
}

/** Imports that remain when types are gone. */
function runtimeImportsOf(file: string): readonly string[] {
  const text = readFileSync(join(root, file), "utf8");
  const found = text.matchAll(/^\s*(?:import|export)\s+(?!type\b)[^"';]*?\bfrom\s+"(\.[^"]+)"/gm);
  return [...found].map((match) => normalize(join(dirname(file), match[1]!)));
}
