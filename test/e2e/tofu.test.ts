/**
 * The main job on real hosts with OpenTofu and Terraform: circuits compiled by the built command, applied by an engine
 * that starts the built provider. Each engine is skipped where it is missing.
 */
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { findEngines } from "../engines/engine.ts";
import { openWorkspace, type RunResult, type Workspace } from "../engines/workspace.ts";
import { describeLab, labHosts } from "../lab/for-tests.ts";
import { conn3x } from "./conn3x.ts";
import { mainJob, type Outcome } from "./scenario.ts";

const built = join(import.meta.dirname, "../../dist/provider/terraform-provider-conn3x");
/** The program alone, where no build replaces it while the tests run. */
const providerDirectory = mkdtempSync(join(tmpdir(), "conn3x-provider-"));
afterAll(() => rmSync(providerDirectory, { recursive: true, force: true }));
copyFileSync(built, join(providerDirectory, "terraform-provider-conn3x"));

for (const engine of findEngines()) {
  describeLab(`${engine.name} ${engine.version}`, () => {
    const lab = labHosts(2);
    const open = (directory: string): Workspace =>
      openWorkspace({ engine, directory, files: {}, provider: { directory: providerDirectory } });
    const outcome = async (run: Promise<RunResult>): Promise<Outcome> => {
      const { status, stdout, stderr } = await run;
      return { status, output: stdout + stderr };
    };
    mainJob(
      {
        prepare: async (directory) => {
          const { status, output } = await conn3x(directory, "compile");
          if (status !== 0) throw new Error(output);
        },
        plan: (directory, ...options) =>
          outcome(open(directory).run(["plan", "-detailed-exitcode", "-no-color", ...options])),
        apply: (directory, ...options) => outcome(open(directory).apply(...options)),
        destroy: (directory) => outcome(open(directory).destroy()),
      },
      () => lab,
    );
  });
}
