/** Drift of a part of the configuration is the same part with every engine. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { bundleProgram, type Program } from "../cli/program.ts";
import { openSite, type Site } from "../cli/site.ts";
import { findEngines } from "./engine.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let program: Program;
let site: Site;
beforeAll(async () => {
  program = await bundleProgram();
  site = await openSite();
  const other = `  step "later" {
    file {
      path    = "${site.host.root}/srv/site/later"
      content = "later"
    }
  }
  handler`;
  expect(await conn3x("apply", "-auto-approve")).toMatchObject({ status: 0, stderr: "" });
  for (const name of ["page", "token"]) writeFileSync(site.path(`srv/site/${name}`), "by hand");
  // Configured, and not applied yet.
  site.write(site.circuit.replace("  handler", other));
});
afterAll(async () => {
  program?.remove();
  await site?.remove();
});

const conn3x = (...args: readonly string[]) =>
  program.run(args, { cwd: site.directory, env: { TF_CLI_CONFIG_FILE: "/dev/null" } });

const engines: readonly (readonly [string, readonly string[]])[] = [
  ["embedded", []],
  ...findEngines().map(({ name, program: path }): [string, string[]] => [name, [`-engine=${path}`]]),
];

describe.each(engines)("%s", (_, engine) => {
  /** Exit status, the steps that drifted, and what went wrong. */
  const drift = async (...args: readonly string[]) => {
    const { status, stdout } = await conn3x("drift", "-json", ...engine, ...args);
    const { drift, diagnostics } = JSON.parse(stdout);
    return [
      status,
      drift.map(({ step }: { step: string }) => step).sort(),
      diagnostics.map(({ summary }: { summary: string }) => summary),
    ];
  };

  test.each([
    ["-step=page", 2, ["page"]],
    ['-target=conn3x_file.web__token["web1"]', 2, ["page", "token"]],
    ["-step=site", 0, []],
    ["-circuit=web", 2, ["page", "token"]],
    ["-limit=web*", 2, ["page", "token"]],
    ["-step=later", 2, ["page", "token"]],
  ])("%s", async (option, status, steps) => {
    expect(await drift(option)).toEqual([status, steps, []]);
  });

  test("names that nothing has", async () => {
    expect(await drift("-step=pgae")).toEqual([1, [], ["There is no step or handler pgae"]]);
    expect(await drift("-limit=db*")).toEqual([1, [], ["There is no host db*"]]);
  });

  test("takes no lock and stores nothing", async () => {
    const lock = join(site.directory, ".terraform.tfstate.lock.info");
    const info = {
      ID: "an-id",
      Operation: "OperationTypeApply",
      Who: "somebody@elsewhere",
      Created: "2026-01-01T00:00:00Z",
    };
    writeFileSync(lock, JSON.stringify(info));
    expect(await drift("-step=page")).toEqual([2, ["page"], []]);
    rmSync(lock);
  });
});
