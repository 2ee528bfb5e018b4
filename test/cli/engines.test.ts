/**
 * `output` against what real engines print for the same state.
 */
import { rmSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { bundleProvider } from "../../provider/testing/bundle.ts";
import { findEngines, titled } from "../engines/engine.ts";
import { openWorkspace } from "../engines/workspace.ts";
import { bundleProgram, type Program } from "./program.ts";
import { openSite, type Site } from "./site.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let program: Program;
let provider: { readonly directory: string };
let site: Site;

beforeAll(async () => {
  program = await bundleProgram();
  provider = await bundleProvider("provider/main.ts");
  site = await openSite();
  for (const args of [["apply", "-auto-approve"], ["compile"]])
    expect(await conn3x(...args)).toMatchObject({ status: 0, stderr: "" });
});

afterAll(async () => {
  program?.remove();
  if (provider !== undefined) rmSync(provider.directory, { recursive: true, force: true });
  await site?.remove();
});

const conn3x = (...args: readonly string[]) => program.run(args, { cwd: site.directory });

describe.each(titled(findEngines()))("%s", (_, engine) => {
  const workspace = () => openWorkspace({ engine, provider, files: {}, directory: site.directory });

  test("outputs are shown alike", async () => {
    for (const args of [[], ["path"], ["-json"], ["-json", "path"], ["-raw", "secret"]]) {
      const ours = await conn3x("output", ...args);
      const theirs = await workspace().run(["output", "-no-color", ...args]);
      expect(ours.stdout, args.join(" ")).toBe(theirs.stdout);
    }
  });
});
