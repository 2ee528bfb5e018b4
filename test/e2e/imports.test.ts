/**
 * What is on a host already is taken over: by blocks with each engine, to the same state, and by the command.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findEngines } from "../engines/engine.ts";
import { describeLab, labHosts } from "../lab/for-tests.ts";
import { bundledProgram } from "./bundled.ts";
import { readState } from "./engines-story.ts";
import { fleetBlocks } from "./interrupted-circuit.ts";

const program = bundledProgram();

describeLab("imports", () => {
  const lab = labHosts(1);
  let directory: string;

  const write = (blocks: string) => {
    const [web1] = lab.hosts;
    writeFileSync(
      join(directory, "main.circuit.hcl"),
      `provider "conn3x" {
  ssh {
    private_key_file = "${lab.lab.keyFile}"
    host_key         = "${web1.hostKey}"
    agent            = false
    become           = true
  }
}

circuit "web" {
  hosts = { web1 = "${web1.address}" }

  ssh {
    user = "deploy"
  }

  step "same" {
    file {
      path    = "/srv/same"
      content = "as it is\\n"
    }
  }

  step "other" {
    file {
      path    = "/srv/other"
      content = "as it should be\\n"
    }
  }
}
${blocks}`,
    );
  };
  const block = (step: string) => `
import {
  to = conn3x_file.web__${step}["web1"]
  id = "ssh://deploy@${lab.hosts[0].address}/srv/${step}"
}
`;
  const run = (...args: readonly string[]) => program.run(directory, args);
  const stored = () => readState(directory);

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), "conn3x-imports-"));
    await lab.hosts[0].must("echo as it is >/srv/same; echo as it was >/srv/other");
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  const look = () => lab.hosts[0].must("stat -c '%i %z' /srv/same; cat /srv/other");
  let embedded: unknown;

  for (const engine of ["", ...findEngines().map((one) => one.program)]) {
    const options = engine === "" ? [] : [`-engine=${engine}`];
    test(`blocks (${engine === "" ? "embedded" : engine.split("/").at(-1)})`, {
      timeout: 60_000,
    }, async () => {
      write(block("same") + block("other"));
      const before = await look();
      const planned = await run("plan", "-detailed-exitcode", ...options);
      expect(planned).toMatchObject({ status: 2 });
      expect(planned.output).toContain("Plan: 2 to import, 0 to create");
      const applied = await run("apply", "-auto-approve", ...options);
      expect(applied.output).toContain("Apply complete! 2 imported, 0 created");
      expect(await look()).toBe(before.replace("as it was", "as it should be"));
      expect(await run("plan", "-detailed-exitcode")).toMatchObject({ status: 0 });
      embedded ??= stored();
      expect(stored()).toEqual(embedded);
    });
  }

  test("with the login of the step", { timeout: 60_000 }, async () => {
    const [web1] = lab.hosts;
    const address = 'conn3x_file.web__other["web1"]';
    writeFileSync(
      join(directory, "main.circuit.hcl"),
      `circuit "web" {
${fleetBlocks(lab.lab, lab.hosts)}
  step "other" {
    file {
      path    = "/srv/other"
      content = "as it should be\\n"
    }
  }
}
`,
    );
    const withPassword = await run("import", address, `ssh://deploy:secret@${web1.address}/srv/other`);
    expect(withPassword.output).toContain("It has a password, and ids are shown.");
    const { status, output } = await run("import", address, `ssh://${web1.address}/srv/other`);
    expect(status, output).toBe(0);
    const planned = await run("plan");
    expect(planned.output).toContain(`${address} will be updated because its content was edited`);
  });

  test("the command", { timeout: 60_000 }, async () => {
    write("");
    const id = `ssh://deploy@${lab.hosts[0].address}/srv/other`;
    const address = 'conn3x_file.web__other["web1"]';
    expect(await run("import", address, id)).toMatchObject({
      status: 0,
      output: expect.stringContaining("Import successful!"),
    });
    expect(await look()).toContain("as it was");
    const { output } = await run("plan");
    expect(output).toContain(`${address} will be updated because its content was edited`);
    expect(output).toContain("Plan: 1 to create, 1 to update");
    for (const [what, to, from, problem] of [
      ["again", address, id, "There is something at this address"],
      ["elsewhere", 'conn3x_file.web__other["web2"]', id, "There is no configuration for what is imported"],
      ["nothing", 'conn3x_file.web__same["web1"]', `${id}.not`, "Nothing to import"],
    ] as const) {
      const refused = await run("import", to, from);
      expect(refused, what).toMatchObject({ status: 1, output: expect.stringContaining(problem) });
    }
  });
});
