import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, normalize } from "node:path";
import { describe, expect, test } from "vitest";
import { loadConfiguration } from "../../compiler/source/load.ts";
import { createProvider } from "../../core/create-provider.ts";
import { validateConfiguration } from "../../engine/validate.ts";
import { formatText } from "../../hcl/format/format.ts";
import { kinds } from "../../resources/index.ts";
import { createSessionPool } from "../../ssh/session-pool.ts";
import { examples } from "./examples.ts";
import { referencePages } from "./pages.ts";

const root = join(import.meta.dirname, "../../../docs/reference");
const pages = referencePages();

const written = (): string[] =>
  readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) =>
    statSync(join(root, name)).isFile(),
  );

test("what is written is up to date: npm run docs", () => {
  expect(written().sort()).toEqual([...pages.keys()].sort());
  for (const [path, text] of pages) expect(readFileSync(join(root, path), "utf8"), path).toBe(text);
});

test("every link leads to a page", () => {
  for (const [path, text] of pages) {
    for (const [, target = ""] of text.matchAll(/\]\(([^)#]+)\)/g)) {
      const file = normalize(join("docs/reference", dirname(path), target));
      const known = pages.has(normalize(join(dirname(path), target))) || file === "docs/language.md";
      expect(known, `${path} → ${target}`).toBe(true);
    }
  }
});

describe("examples", () => {
  test("are of kinds that there are", () => {
    const names = new Set([...kinds.values()].map(({ type }) => type.replace(/^conn3x_/, "")));
    expect(Object.keys(examples).filter((name) => !names.has(name))).toEqual([]);
  });

  test("of handlers have a handler, and a step that notifies it", () => {
    const handlers = [...pages].filter(([path]) => path.startsWith("handlers/"));
    expect(handlers).toHaveLength(2);
    for (const [path, text] of handlers) {
      const [, example = ""] = text.split("```");
      expect(example, path).toMatch(/notify = \[handler\.(\w+)\][\s\S]*^handler "\1"/m);
    }
  });

  test.each(Object.entries(examples))("%s is valid and formatted", async (_, example) => {
    const body = example.replace(/^(?=.)/gm, "  ");
    const text = `circuit "web" {\n  hosts = { web1 = "192.0.2.1" }\n\n${body}\n}\n`;
    expect(formatText(text)).toBe(text);
    const directory = mkdtempSync(join(tmpdir(), "conn3x-example-"));
    try {
      writeFileSync(join(directory, "main.circuit.hcl"), text);
      const configuration = await loadConfiguration(directory, { kinds });
      const provider = createProvider({ sessions: createSessionPool() });
      expect(configuration.diagnostics).toEqual([]);
      expect(validateConfiguration({ configuration, provider, variables: [] })).toEqual([]);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});
