/**
 * What circuits drawn at random compile to, judged by real engines: valid and in canonical form, in HCL and in JSON.
 * An engine starts once for all of them.
 */
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { emitHcl } from "../../src/compiler/emit/hcl.ts";
import { emitJson } from "../../src/compiler/emit/json.ts";
import type { Configuration } from "../../src/compiler/model.ts";
import { compileFiles } from "../../src/compiler/testing/compile-files.ts";
import { createProvider } from "../../src/core/create-provider.ts";
import type { Diagnostic } from "../../src/diagnostics/diagnostic.ts";
import { SourceFile } from "../../src/diagnostics/source.ts";
import { validateConfiguration } from "../../src/engine/validate.ts";
import { kinds } from "../../src/resources/index.ts";
import { createSessionPool } from "../../src/ssh/session-pool.ts";
import { findEngines, titled } from "../engines/engine.ts";
import { providerWorkspaces } from "../engines/provider-workspaces.ts";
import type { Workspace } from "../engines/workspace.ts";
import { circuitFile, declarations } from "./circuit-generator.ts";

vi.setConfig({ testTimeout: 300_000 });

const engines = findEngines();

const ids = Array.from({ length: 160 }, (_, index) => index);
const [texts] = fc.sample(fc.tuple(...ids.map(circuitFile)), 1) as [string[]];

const sources = (): readonly SourceFile[] => [
  new SourceFile("declarations.circuit.hcl", declarations),
  ...texts.map((text, id) => new SourceFile(`c${id}.circuit.hcl`, text)),
];

const compile = (files: readonly SourceFile[]): Configuration =>
  compileFiles(files, { directory: ".", kinds });

/** What was said, with the circuits that it was said of. */
function reported(output: string): string {
  const named = new Set([...output.matchAll(/\bc(\d+)\.circuit/g)].map(([, id]) => Number(id)));
  return [output, ...[...named].slice(0, 3).map((id) => `c${id}.circuit.hcl:\n${texts[id]}`)].join("\n");
}

function expectNoErrors(found: readonly Diagnostic[]): void {
  const errors = found.filter(({ severity }) => severity === "error");
  const lines = errors.map(({ summary, detail, range }) =>
    [summary, detail, range?.file.name, range?.file.text.slice(range.start, range.end)].join(" | "),
  );
  expect(lines, reported(lines.join("\n"))).toEqual([]);
}

describe("generated circuits", () => {
  it("compile without errors, to the same bytes each time", () => {
    const [one, other] = [compile(sources()), compile(sources())];
    expectNoErrors(one.diagnostics);
    expect(one.circuits.length).toBeGreaterThan(200);
    expect(emitHcl(one)).toEqual(emitHcl(other));
    expect(emitJson(one)).toEqual(emitJson(other));
  });

  it("have no mistakes in their values", () => {
    const provider = createProvider({ sessions: createSessionPool() });
    expectNoErrors(validateConfiguration({ configuration: compile(sources()), provider, variables: [] }));
  });

  it("compile to HCL and to JSON that the compiler reads as the same resources", () => {
    const configuration = compile(sources());
    const addresses = ({ resources }: Configuration) =>
      resources.map(({ address, dependsOn }) => [address, dependsOn]);
    for (const emit of [emitHcl, emitJson]) {
      const outputs = [...emit(configuration)].filter(([name]) => !name.startsWith("conn3x_override"));
      const reread = compile(outputs.map(([name, text]) => new SourceFile(name, text)));
      expectNoErrors(reread.diagnostics);
      expect(new Set(addresses(reread))).toEqual(new Set(addresses(configuration)));
    }
  });
});

describe.each(titled(engines))("%s", (_, engine) => {
  const open = providerWorkspaces();
  const workspaceWith = (files: Readonly<Record<string, string>>): Workspace => open(engine, files);
  const fine = async (run: ReturnType<Workspace["run"]>): Promise<void> => {
    const { status, stdout, stderr } = await run;
    expect(status, reported(stdout + stderr)).toBe(0);
  };

  it("finds generated circuits in canonical form", async () => {
    const files = Object.fromEntries(emitHcl(compile(sources())));
    await fine(workspaceWith(files).run(["fmt", "-check", "-diff", "-recursive", "-no-color"]));
  });

  it.each([
    ["HCL", emitHcl],
    ["JSON", emitJson],
  ] as const)("finds generated circuits valid in %s", async (_, emit) => {
    const workspace = workspaceWith(Object.fromEntries(emit(compile(sources()))));
    await fine(workspace.run(["validate", "-no-color"], 240_000));
  });
});
