/**
 * What is write-only, with OpenTofu and Terraform: an ephemeral variable goes to the host, and neither a plan nor a state
 * of theirs has it. What they stored, the built-in engine takes, and the other way round.
 */
import { createHash } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { bundleProvider } from "../../provider/testing/bundle.ts";
import { bundleProgram, type Program } from "../cli/program.ts";
import { openSite, type Site } from "../cli/site.ts";
import { findEngines, titled } from "./engine.ts";
import { openWorkspace, type Workspace } from "./workspace.ts";

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

const secrets = ["0ne-pl4nted-secret", "an0ther-pl4nted-secret"] as const;
const traces = secrets.flatMap((secret) => {
  const hash = createHash("sha256").update(secret).digest();
  return [secret, Buffer.from(secret).toString("base64"), hash.toString("hex"), hash.toString("base64")];
});

let program: Program;
let provider: { directory: string };
let site: Site;
let workspace: Workspace | undefined;
beforeAll(async () => {
  [program, provider] = await Promise.all([bundleProgram(), bundleProvider("provider/main.ts")]);
});
afterAll(() => {
  program?.remove();
  rmSync(provider.directory, { recursive: true, force: true });
});
beforeEach(async () => {
  site = await openSite();
});
afterEach(async () => {
  workspace?.remove();
  await site?.remove();
});

/** @param variable `ephemeral = true`, or nothing */
const circuit = ({ circuit: text }: Site, variable: string): string =>
  text
    .replace('  default   = "s3cret"\n  sensitive = true\n', `  sensitive = true\n  ${variable}\n`)
    .replace(/output "secret" \{[^}]*\}\n/, "")
    .replace(/content = var\.secret\n/, "secret_content = var.secret\n");

const onHost = () => readFileSync(site.path("srv/site/token"), "utf8");
const token = 'conn3x_file.web__token["web1"]';

function expectNoTrace(what: string, text: string): void {
  for (const trace of traces) expect(text.includes(trace), `${what} has ${trace}`).toBe(false);
}

describe.each(titled(findEngines()))("%s", (_, engine) => {
  test("an ephemeral value reaches the host, and is stored nowhere", async () => {
    site.write(circuit(site, "ephemeral = true"));
    const compiled = await program.run(["compile"], { cwd: site.directory });
    expect([compiled.status, compiled.stderr]).toEqual([0, ""]);
    const environment: Record<string, string> = { TF_VAR_secret: secrets[0] };
    workspace = openWorkspace({ engine, files: {}, provider, environment, directory: site.directory });
    const w = workspace;
    const plan = async () => {
      const planned = await w.plan();
      expectNoTrace("plan", planned.stdout + planned.stderr + JSON.stringify(planned.plan));
      return planned;
    };
    const stored = () =>
      expectNoTrace("state", readFileSync(join(site.directory, "terraform.tfstate"), "utf8"));

    expect((await plan()).status).toBe(2);
    expectNoTrace("plan file", readFileSync(join(site.directory, "tfplan"), "latin1"));
    const applied = await w.apply();
    expect(applied.status, applied.stderr).toBe(0);
    expect(onHost()).toBe(secrets[0]);
    stored();
    expect((await plan()).status).toBe(0);

    writeFileSync(site.path("srv/site/token"), "by hand");
    const drifted = await plan();
    expect(drifted.status).toBe(2);
    expect(drifted.plan?.resource_drift?.map(({ address }) => address)).toEqual([token]);
    expect((await w.apply()).status).toBe(0);
    expect(onHost()).toBe(secrets[0]);
    expect((await plan()).status).toBe(0);

    environment.TF_VAR_secret = secrets[1];
    const later = openWorkspace({ engine, files: {}, provider, environment, directory: site.directory });
    const edited = await later.plan();
    expect(
      edited.plan?.resource_changes
        ?.filter(({ change }) => change.actions[0] !== "no-op")
        .map((c) => c.address),
    ).toEqual([token]);
    // A value that has become another between plan and apply is written as it is then.
    expect((await later.apply()).status).toBe(0);
    expect(onHost()).toBe(secrets[1]);
    stored();
    expect((await later.plan()).status).toBe(0);
    expect((await later.destroy()).status).toBe(0);
    expect(() => onHost()).toThrow();
  });

  test("conn3x hands an ephemeral value to it a second time, for the apply", async () => {
    site.write(circuit(site, "ephemeral = true"));
    const file = join(site.directory, "values.tfvars");
    for (const [index, secret] of secrets.entries()) {
      writeFileSync(file, `secret = "${secret}"\ntext = "${index}"\n`);
      const given =
        index === 0 ? ["-var-file=values.tfvars"] : [`-var=secret=${secret}`, `-var=text=${index}`];
      const run = (...args: readonly string[]) =>
        program.run([...args, `-engine=${engine.program}`], {
          cwd: site.directory,
          env: { TF_CLI_CONFIG_FILE: "/dev/null" },
        });
      const applied = await run("apply", "-auto-approve", ...given);
      expect([applied.status, applied.stderr, onHost()]).toEqual([0, "", secret]);
      expect(
        (await run("plan", "-out=saved", '-replace=conn3x_file.web__page["web1"]', ...given)).status,
      ).toBe(0);
      expectNoTrace("plan file", readFileSync(join(site.directory, "saved"), "latin1"));
      const without = await run("apply", "saved");
      expect([without.status, without.stderr]).toEqual([
        1,
        expect.stringContaining("No value for required variable"),
      ]);
      expect((await run("apply", "saved", ...given)).status).toBe(0);
    }
  });

  test.each(["", "ephemeral = true"])(
    "a state goes from one engine to the other and nothing is to be done (%s)",
    async (variable) => {
      site.write(circuit(site, variable));
      const run = async (...args: string[]) => {
        const { status, stdout, stderr } = await program.run(args, {
          cwd: site.directory,
          env: { TF_CLI_CONFIG_FILE: "/dev/null", TF_VAR_secret: secrets[0] },
        });
        expectNoTrace(args.join(" "), stdout + stderr);
        expect([args, stderr]).toEqual([args, expect.not.stringContaining("Error")]);
        return { status, stdout };
      };
      const other = `-engine=${engine.program}`;
      await run("apply", "-auto-approve");
      expect(onHost()).toBe(secrets[0]);
      expect((await run("plan", "-detailed-exitcode", other)).status).toBe(0);
      writeFileSync(site.path("srv/site/token"), "by hand");
      const drift = await run("drift", other);
      expect([drift.status, drift.stdout]).toEqual([
        2,
        expect.stringContaining("secret_intact: expected true, found false"),
      ]);
      await run("apply", "-auto-approve", other);
      expect(onHost()).toBe(secrets[0]);
      expect((await run("plan", "-detailed-exitcode")).status).toBe(0);
      const edited = await run("plan", "-var", "secret=x", other);
      expect(edited.stdout).toContain("secret_content edited");
    },
  );
});
