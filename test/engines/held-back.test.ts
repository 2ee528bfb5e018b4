/**
 * What hosts answer about objects with sensitive values is not shown under other engines either, where `conn3x` drives
 * them: the engine's plan says which values those are.
 */
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

describe.each(titled(findEngines()))("%s", (_, engine) => {
  const apply = async (step: string) => {
    site.write(site.circuit.replace('handler "restart"', `${step}\n  handler "restart"`));
    const { status, stdout, stderr } = await program.run(
      ["apply", `-engine=${engine.program}`, "-auto-approve"],
      { cwd: site.directory, env: { TF_CLI_CONFIG_FILE: "/dev/null" } },
    );
    expect(status).toBe(1);
    return (stdout + stderr).replace(/\s+/g, " ");
  };
  const command = (text: string) => `step "fails" {
    command {
      run         = "echo answer-$TOKEN; exit 3"
      environment = { TOKEN = ${text} }
    }
  }`;

  test("a command's answer", async () => {
    expect(await apply(command('"plain"'))).toContain("answer-plain");
    const said = await apply(command("var.secret"));
    expect(said).not.toContain("s3cret");
    expect(said).toContain("not shown");
  });

  test("what the validation of a file says", async () => {
    const said = await apply(`step "checked" {
    file {
      path     = "${site.host.root}/srv/checked"
      content  = "token = \${var.secret}"
      validate = "cat %s && exit 1 #"
    }
  }`);
    expect(said).not.toContain("s3cret");
    expect(said).toContain("not shown");
  });
});
