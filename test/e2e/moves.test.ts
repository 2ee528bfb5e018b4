/**
 * What gets another address stays what it is on its host: a step, a circuit, a host and a module are renamed, and nothing
 * there is touched, with each engine.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { findEngines } from "../engines/engine.ts";
import { describeLab, labHosts } from "../lab/for-tests.ts";
import { bundledProgram } from "./bundled.ts";

const program = bundledProgram();

interface Names {
  readonly circuit: string;
  readonly step: string;
  readonly host: string;
}

const old: Names = { circuit: "web", step: "config", host: "web1" };

describeLab("what moves", () => {
  const lab = labHosts(1);

  function circuit({ circuit, step, host }: Names, moved: string): string {
    const [web1] = lab.hosts;
    return `
circuit "${circuit}" {
  hosts = { "${host}" = { address = "${web1.address}", host_key = "${web1.hostKey}" } }

  ssh {
    user             = "deploy"
    private_key_file = "${lab.lab.keyFile}"
    agent            = false
    become           = true
  }

  step "pages" {
    for_each = toset(["a", "b"])
    directory {
      path = "/srv/moves-\${each.key}"
    }
    notify = [handler.restart]
  }

  step "${step}" {
    file {
      path    = "/etc/lab-web/config"
      content = "moved\\n"
    }
    notify = [handler.restart]
  }

  handler "restart" {
    service {
      name   = "lab-web"
      action = "restart"
    }
  }

  ${moved === "" ? "" : `moved {\n    ${moved}\n  }`}
}
`;
  }

  /** Inodes, times of every change, and how often the service was started. */
  const look = () =>
    lab.hosts[0].must(
      "stat -c '%n %i %z %y' /etc/lab-web/config /srv/moves-a /srv/moves-b; wc -l </run/lab-web/log",
    );

  const module = 'module "site" {\n  source = "./modules/site"\n}\n';
  const resources = (names: Names) =>
    [`conn3x_directory.${names.circuit}__pages`, `conn3x_file.${names.circuit}__${names.step}`].concat(
      `conn3x_service_action.${names.circuit}__restart`,
    );
  const intoModule = resources(old).map(
    (from) => `moved {\n  from = ${from}\n  to = module.site.${from}\n}\n`,
  );

  const stories: readonly (readonly [string, () => Readonly<Record<string, string>>])[] = [
    [
      "a step",
      () => ({
        "main.circuit.hcl": circuit(
          { ...old, step: "settings" },
          "from = step.config\n    to = step.settings",
        ),
      }),
    ],
    [
      "a circuit",
      () => ({
        "main.circuit.hcl": circuit({ ...old, circuit: "site" }, "from = circuit.web\n    to = circuit.site"),
      }),
    ],
    [
      "a host",
      () => ({
        "main.circuit.hcl": circuit(
          { ...old, host: "www.one" },
          'from = host.web1\n    to = host["www.one"]',
        ),
      }),
    ],
    [
      "everything into a module",
      () => ({
        "main.circuit.hcl": module + intoModule.join(""),
        "modules/site/site.circuit.hcl": circuit(old, ""),
      }),
    ],
  ];

  for (const engine of ["", ...findEngines().map((one) => one.program)]) {
    const options = engine === "" ? [] : [`-engine=${engine}`];
    test.each(stories)(
      `%s (${engine === "" ? "embedded" : engine.split("/").at(-1)})`,
      { timeout: 120_000 },
      async (_, files) => {
        const directory = mkdtempSync(join(tmpdir(), "conn3x-moves-"));
        const write = (all: Readonly<Record<string, string>>): void => {
          for (const [path, text] of Object.entries(all)) {
            mkdirSync(dirname(join(directory, path)), { recursive: true });
            writeFileSync(join(directory, path), text);
          }
        };
        try {
          write({ "main.circuit.hcl": circuit(old, "") });
          const made = await program.run(directory, ["apply", "-auto-approve"]);
          expect(made.output).toContain("Apply complete! 4 created");
          const before = await look();
          write(files());
          const planned = await program.run(directory, [
            "plan",
            "-format=resources",
            "-detailed-exitcode",
            ...options,
          ]);
          expect(planned).toMatchObject({ status: 2, output: expect.stringContaining("0 to create") });
          expect(planned.output).toMatch(/0 to replace, 0 to delete/);
          const applied = await program.run(directory, ["apply", "-auto-approve", ...options]);
          expect(applied).toMatchObject({ status: 0, output: expect.stringContaining("0 created") });
          expect(await look()).toBe(before);
          expect(await program.run(directory, ["plan", "-detailed-exitcode"])).toMatchObject({ status: 0 });
          await program.run(directory, ["destroy", "-auto-approve", ...options]);
        } finally {
          rmSync(directory, { recursive: true, force: true });
        }
      },
    );
  }
});
