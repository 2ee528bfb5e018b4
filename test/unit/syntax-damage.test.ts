/**
 * A mistake in the syntax of a good configuration is told, and nothing that only follows from it: what else is wrong is
 * told as well (`gaps.ts`), and there is nothing else.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileFiles } from "../../src/compiler/testing/compile-files.ts";
import { createProvider } from "../../src/core/create-provider.ts";
import { hasErrors } from "../../src/diagnostics/diagnostic.ts";
import { SourceFile } from "../../src/diagnostics/source.ts";
import { validateConfiguration } from "../../src/engine/validate.ts";
import { parseFile } from "../../src/hcl/parse/parse.ts";
import { kinds } from "../../src/resources/index.ts";
import { createSessionPool } from "../../src/ssh/session-pool.ts";

const fixtures = join(import.meta.dirname, "../fixtures/circuits");
const provider = createProvider({ sessions: createSessionPool() });

/** What is wrong, the syntax apart: `LINE SUMMARY`. Undefined where the syntax is right. */
function followUps(text: string): readonly string[] | undefined {
  const file = new SourceFile("main.circuit.hcl", text);
  if (!hasErrors(parseFile(file).diagnostics)) return undefined;
  return beyondSyntax(file);
}

function beyondSyntax(file: SourceFile): readonly string[] {
  const configuration = compileFiles([file], { directory: ".", kinds });
  const syntax = new Set(
    parseFile(file).diagnostics.map(({ summary, range }) => `${range!.start} ${summary}`),
  );
  const all = configuration.incomplete
    ? configuration.diagnostics
    : [...configuration.diagnostics, ...validateConfiguration({ configuration, provider, variables: [] })];
  return all
    .filter(({ summary, range }) => range === undefined || !syntax.has(`${range.start} ${summary}`))
    .map(({ summary, range }) => `${range && file.lineOf(range.start)} ${summary}`);
}

const good = readdirSync(fixtures)
  .map((name) => readFileSync(join(fixtures, name, "main.circuit.hcl"), "utf8"))
  .filter((text) => beyondSyntax(new SourceFile("main.circuit.hcl", text)).length === 0);

/** Words, texts, signs: what a person leaves out or writes too much of. */
const piece = /[\p{L}\d_]+|"[^"\n]*"|[^\s\p{L}\d_]/gu;
const junk = [
  "=",
  ",",
  "'x'",
  "foo bar",
  "]",
  "}",
  "{",
  "(",
  '"',
  "?",
  "${",
  "@",
  "<<X",
  ".",
  "a = ",
  "/*",
  "\\",
];

const damage = fc
  .record({
    text: fc.constantFrom(...good),
    where: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    put: fc.option(fc.constantFrom(...junk)),
  })
  .map(({ text, where, put }) => {
    const pieces = [...text.matchAll(piece)];
    const { 0: found, index } = pieces[Math.floor(where * pieces.length)]!;
    const after = text.slice(index + found.length);
    return put === null ? text.slice(0, index) + after : `${text.slice(0, index)}${found} ${put}${after}`;
  });

describe("a mistake in the syntax", () => {
  it("is all that is told", () => {
    expect(good.length).toBeGreaterThan(40);
    fc.assert(
      fc.property(damage, (text) => {
        expect(followUps(text) ?? []).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});
