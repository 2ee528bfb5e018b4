/**
 * What is on a host already is taken over: by blocks with each engine, to the same state, and by the command.
 */
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
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

  const write = (blocks: string, more = "") => {
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
${more}}
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

  /** "": the embedded one. */
  const engines = ["", ...findEngines().map((one) => one.program)];
  const nameOf = (engine: string) => (engine === "" ? "embedded" : engine.split("/").at(-1));
  let byCommand: unknown;

  for (const engine of engines) {
    const options = engine === "" ? [] : [`-engine=${engine}`];
    test(`blocks (${nameOf(engine)})`, {
      timeout: 60_000,
    }, async () => {
      write(block("same") + block("other"));
      const before = await look();
      const planned = await run("plan", "-detailed-exitcode", ...options);
      expect(planned).toMatchObject({ status: 2 });
      expect(planned.output).toContain("2 imported");
      const applied = await run("apply", "-auto-approve", ...options);
      expect(applied.output).toContain("Apply complete! 2 imported, 0 created");
      expect(await look()).toBe(before.replace("as it was", "as it should be"));
      expect(await run("plan", "-detailed-exitcode")).toMatchObject({ status: 0 });
      embedded ??= stored();
      expect(stored()).toEqual(embedded);
    });
  }

  for (const engine of engines)
    test(`with the login of the step (${nameOf(engine)})`, { timeout: 120_000 }, async () => {
      const options = engine === "" ? [] : [`-engine=${engine}`];
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
      const withPassword = await run(
        "import",
        ...options,
        address,
        `ssh://deploy:secret@${web1.address}/srv/other`,
      );
      expect(withPassword.output).toContain("It has a password, and ids are shown.");
      const id = `ssh://${web1.address}/srv/other`;
      const { status, output } = await run("import", ...options, address, id);
      expect(status, output).toBe(0);
      const planned = await run("plan");
      expect(planned.output).toContain("content not as imported");
      // A block takes the step's login, too.
      await run("state", "rm", address);
      appendFileSync(join(directory, "main.circuit.hcl"), `import {\n  to = ${address}\n  id = "${id}"\n}\n`);
      expect((await run("plan", ...options)).output).toContain("1 imported");
    });

  for (const engine of engines)
    test(`the command (${nameOf(engine)})`, { timeout: 120_000 }, async () => {
      write("");
      const options = engine === "" ? [] : [`-engine=${engine}`];
      const id = `ssh://deploy@${lab.hosts[0].address}/srv/other`;
      const address = 'conn3x_file.web__other["web1"]';
      const importing = (...args: readonly string[]) => run("import", ...options, ...args);
      expect(await importing(address, id)).toMatchObject({
        status: 0,
        output: expect.stringContaining("Import successful!"),
      });
      expect(await importing('conn3x_file.web__same["web1"]', "web/web1:/srv/same")).toMatchObject({
        status: 0,
      });
      // Other engines store what it depends on with the next apply.
      const taken = JSON.parse(
        JSON.stringify(stored(), (name, value) => (name === "dependencies" ? [] : value)),
      );
      for (const { instances } of taken.resources) for (const one of instances) one.dependencies = [];
      byCommand ??= taken;
      expect(taken).toEqual(byCommand);
      expect(await look()).toContain("as it was");
      const { output } = await run("plan");
      expect(output).toContain("content not as imported");
      expect(output).toContain("changes. 1 updated.");
      write("", 'step "more" {\n  file {\n    path = "/srv/more"\n  }\n}\n');
      for (const [what, to, from, problem] of [
        [
          "again",
          address,
          id,
          engine === "" ? "There is something at this address" : "Resource already managed",
        ],
        ["elsewhere", 'conn3x_file.web__other["web2"]', id, "There is no configuration for what is imported"],
        ["nothing", 'conn3x_file.web__more["web1"]', `${id}.not`, "Nothing to import"],
        ["no host", 'conn3x_file.web__more["web1"]', "web/web7:/srv/other", "Import id cannot be used"],
      ] as const) {
        const refused = await importing(to, from);
        expect(refused, what).toMatchObject({ status: 1, output: expect.stringContaining(problem) });
      }
    });
});
