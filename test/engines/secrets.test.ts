/**
 * X11 with OpenTofu and Terraform driven by `conn3x`: secrets in every place that can hold one, and everything that is
 * printed searched for them, logs of the engine's provider and what is compiled included.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { all, circuit, environment, expectNothingOf, found, logins } from "../cli/planted-secrets.ts";
import { bundleProgram, type Program } from "../cli/program.ts";
import { openSite, type Site } from "../cli/site.ts";
import { findEngines, titled } from "./engine.ts";

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

let program: Program;
let site: Site;
beforeAll(async () => {
  program = await bundleProgram();
});
afterAll(() => program?.remove());
beforeEach(async () => {
  site = await openSite();
});
afterEach(() => site?.remove());

describe.each(titled(findEngines()))("%s", (_, engine) => {
  const silent = async (status: number, ...args: readonly string[]) => {
    const outcome = await program.run([args[0]!, `-engine=${engine.program}`, ...args.slice(1)], {
      cwd: site.directory,
      env: { ...environment, TF_CLI_CONFIG_FILE: "/dev/null", CHECKPOINT_DISABLE: "1" },
    });
    expectNothingOf(outcome, args.join(" "));
    expect([args.join(" "), outcome.status, outcome.stdout + outcome.stderr]).toEqual([
      args.join(" "),
      status,
      expect.any(String),
    ]);
    return outcome;
  };

  test("X11: nothing that is printed has a secret, and no state a login's", async () => {
    site.write(circuit(site));
    await silent(0, "init");
    await silent(0, "plan");
    await silent(0, "plan", "-json", "-v");
    await silent(0, "apply", "-auto-approve", "-log=logs");
    expect(readFileSync(site.path("srv/content"), "utf8")).toContain(all.content);
    writeFileSync(site.path("srv/content"), found);
    await silent(2, "plan", "-detailed-exitcode");
    await silent(0, "apply", "-auto-approve", "-json", "-v");
    const failing =
      '  step "fails" {\n    command {\n      run = "echo ${var.command} >&2; exit 3"\n    }\n  }\n';
    site.write(circuit(site, failing));
    const failed = await silent(1, "apply", "-auto-approve");
    expect(failed.stdout + failed.stderr).toContain("not shown");
    for (const { name, parentPath } of filesIn(site.directory)) {
      const text = readFileSync(join(parentPath, name), "latin1");
      const secrets = name.startsWith("terraform.tfstate") ? logins : all;
      for (const value of Object.values(secrets))
        expect(text.includes(value), `${name} has ${value}`).toBe(false);
    }
    site.write(circuit(site));
    await silent(0, "destroy", "-auto-approve");
  });
});

const filesIn = (directory: string) =>
  readdirSync(directory, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && !entry.parentPath.includes("providers") && entry.name !== "key",
  );
