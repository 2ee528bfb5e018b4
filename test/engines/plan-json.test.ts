/**
 * `-plan-json` of a plan that another engine made: what the engine's own JSON has beside the changes, and names in the
 * engine's workspace.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { bundleProgram, type Program } from "../cli/program.ts";
import { openSite, type Site } from "../cli/site.ts";
import { findEngines, titled } from "./engine.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let program: Program;
let site: Site;
beforeAll(async () => {
  [program, site] = await Promise.all([bundleProgram(), openSite()]);
});
afterAll(async () => {
  program?.remove();
  await site?.remove();
});

interface PlanJson {
  readonly variables: unknown;
  readonly timestamp: string;
  readonly resource_changes: readonly { readonly address: string; readonly urn: string }[];
  readonly prior_state: {
    readonly values: {
      readonly root_module: {
        readonly resources: readonly { readonly address: string; readonly depends_on?: readonly string[] }[];
      };
    };
  };
}

describe.each(titled(findEngines()))("%s", (_, engine) => {
  const run = async (args: readonly string[], workspace = "default") => {
    const { status, stdout, stderr } = await program.run(args, {
      cwd: site.directory,
      env: { TF_CLI_CONFIG_FILE: "/dev/null", TF_WORKSPACE: workspace },
    });
    expect([status, stderr]).toEqual([0, ""]);
    return stdout;
  };
  const plan = async (options: readonly string[], workspace?: string): Promise<PlanJson> => {
    await run(["plan", "-plan-json=plan.json", ...options], workspace);
    return JSON.parse(readFileSync(join(site.directory, "plan.json"), "utf8"));
  };
  const here = `-engine=${engine.program}`;
  const page = 'conn3x_file.web__page["web1"]';
  const dependencies = ({ prior_state }: PlanJson) =>
    prior_state.values.root_module.resources.find(({ address }) => address === page)?.depends_on;

  test("is as the built-in engine's", async () => {
    await run(["apply", "-auto-approve"]);
    const ours = await plan([]);
    const began = Date.now();
    const theirs = await plan([here, "-var=text=other"]);
    expect(theirs.variables).toEqual({ text: { value: "other" }, secret: { value: "s3cret" } });
    expect(new Date(theirs.timestamp).getTime()).toBeGreaterThan(began - 2000);
    expect(dependencies(theirs)).toEqual(["conn3x_directory.web__site"]);
    expect(dependencies(theirs)).toEqual(dependencies(ours));
    const urns = ({ resource_changes }: PlanJson) => resource_changes.map(({ urn }) => urn).sort();
    expect(urns(theirs)).toEqual(urns(ours));
  });

  test("names what is in another workspace by that", async () => {
    const { resource_changes } = await plan([here], "staging");
    expect(resource_changes.find(({ address }) => address === page)?.urn).toBe(
      "urn:conn3x:staging::.::conn3x_file::web__page@web1",
    );
    const named = await run(
      ["plan", here, "-target=urn:conn3x:staging::.::conn3x_directory::web__site@web1"],
      "staging",
    );
    expect(named).toContain(" 1 taken over as it is.");
  });
});
