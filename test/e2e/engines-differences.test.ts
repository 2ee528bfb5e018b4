/**
 * What differs between the engines on purpose (docs/opentofu.md, "What differs"), where no other test shows it: the plain
 * engine with the provider as it is built, and the state's lock.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findEngines, titled } from "../engines/engine.ts";
import { actionOf } from "../engines/json.ts";
import { openWorkspace } from "../engines/workspace.ts";
import { describeLab, labHosts } from "../lab/for-tests.ts";
import { until } from "../lab/run.ts";
import { conn3x } from "./conn3x.ts";

const provider = { directory: join(import.meta.dirname, "../../dist/provider") };

describeLab("what differs between the engines", () => {
  const lab = labHosts(2);
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "conn3x-engines-"));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));
  const write = (steps: string, second = "web2"): void =>
    writeFileSync(
      join(directory, "main.circuit.hcl"),
      `
circuit "web" {
  hosts = { web1 = "${lab.hosts[0]!.address}", ${second} = "${lab.hosts[1]!.address}" }
  ssh {
    user             = "deploy"
    private_key_file = "${lab.lab.keyFile}"
    known_hosts_file = "${lab.lab.knownHostsFile}"
    agent            = false
    become           = true
    connect_timeout  = 3
  }
${steps}
}
`,
    );
  const file = (step: string, path = step) => `
  step "${step}" {
    file {
      path    = "/srv/${path}"
      content = "x"
    }
  }
`;

  describe.each(titled(findEngines()))("%s", (_, engine) => {
    /** Compiled anew, in the hands of the engine alone. */
    const compiled = async (steps: string) => {
      write(steps);
      expect((await conn3x(directory, "compile")).status).toBe(0);
      return openWorkspace({ engine, directory, files: {}, provider });
    };

    test("alone, -target brings what comes before on every host", async () => {
      const { plan } = await compiled(file("first") + file("second"));
      const planned = await plan('-target=conn3x_file.web__second["web1"]');
      expect(actionOf(planned.plan, 'conn3x_file.web__first["web2"]')).toBe("create");
      expect(actionOf(planned.plan, 'conn3x_file.web__second["web2"]')).toBeUndefined();
      const ours = await conn3x(
        directory,
        "plan",
        `-engine=${engine.program}`,
        '-target=conn3x_file.web__second["web1"]',
      );
      expect(ours.output).toMatch(/^ {2}\+ first +file \S+ +web1 /m);
      expect(ours.output).toContain(" 2 new.");
    });

    test("alone, a host that does not answer is said for each of its instances", async () => {
      const { apply, run, destroy } = await compiled(file("first") + file("second"));
      expect((await apply()).status).toBe(0);
      await lab.hosts[1]!.cut();
      try {
        const { stdout } = await run(["plan", "-json", "-input=false"]);
        expect(stdout.match(/"summary":"Host does not answer"/g)).toHaveLength(2);
        const ours = await conn3x(directory, "plan", `-engine=${engine.program}`);
        expect(ours.output.match(/Host does not answer/g)).toHaveLength(1);
      } finally {
        await lab.hosts[1]!.mend();
      }
      expect((await destroy()).status).toBe(0);
    });

    test("settings for the embedded engine alone have no effect, and are named", async () => {
      write(`
  order = "host"
  step "fails" {
    command {
      run = "echo tried >>/srv/tried; false"
    }
    ignore_errors = true
    retries {
      attempts = 2
      interval = "1s"
    }
  }
${file("after")}`);
      const applied = await conn3x(directory, "apply", "-auto-approve", `-engine=${engine.program}`);
      expect(applied.status).toBe(1);
      expect(applied.output).toContain("order has no effect with OpenTofu");
      expect(applied.output).toContain("retries and ignore_errors have no effect with OpenTofu");
      expect(await lab.hosts[0]!.must("cat /srv/tried; rm /srv/tried")).toBe("tried\n");
      const ours = await conn3x(directory, "apply", "-auto-approve");
      expect(ours.output).not.toContain("no effect");
      expect(ours.status, ours.output).toBe(0);
      expect(await lab.hosts[0]!.must("cat /srv/tried /srv/after; rm /srv/tried")).toBe("tried\ntried\nx");
      expect((await conn3x(directory, "destroy", "-auto-approve")).status).toBe(0);
    });

    test("a host that is gone is forgotten by conn3x -engine", async () => {
      const forgetting = `  on_host_gone = "forget"\n${file("first")}${file("second")}`;
      write(forgetting);
      const made = await conn3x(directory, "apply", "-auto-approve", `-engine=${engine.program}`);
      expect(made.status, made.output).toBe(0);
      write(forgetting, "web3");
      const path = join(directory, "main.circuit.hcl");
      const without = readFileSync(path, "utf8").replace(/, web3 = "[^"]*"/, "");
      writeFileSync(path, without);
      await lab.hosts[1]!.cut();
      try {
        const planned = await conn3x(directory, "plan", `-engine=${engine.program}`);
        expect(planned.output).toContain("Host is forgotten");
        expect(planned.output).not.toContain("no effect");
        const applied = await conn3x(directory, "apply", "-auto-approve", `-engine=${engine.program}`);
        expect(applied.status, applied.output).toBe(0);
        expect(applied.output).toContain("2 kept on the hosts");
      } finally {
        await lab.hosts[1]!.mend();
      }
      expect(await lab.hosts[1]!.must("cat /srv/first /srv/second; rm /srv/first /srv/second")).toBe("xx");
      const plan = await conn3x(directory, "plan", "-detailed-exitcode", `-engine=${engine.program}`);
      expect(plan.status, plan.output).toBe(0);
      expect((await conn3x(directory, "destroy", "-auto-approve")).status).toBe(0);
    });

    test("what another address holds is not deleted by a saved plan of conn3x -engine either", async () => {
      write(file("old", "shared"));
      const made = await conn3x(directory, "apply", "-auto-approve", `-engine=${engine.program}`);
      expect(made.status, made.output).toBe(0);
      write(file("young", "shared"));
      const planned = await conn3x(
        directory,
        "plan",
        "-format=resources",
        "-out=saved",
        `-engine=${engine.program}`,
      );
      expect(planned.output).toContain("2 to forget and keep");
      const before = await lab.hosts[0]!.must("stat -c %i /srv/shared");
      const shown = await conn3x(
        directory,
        "show",
        "-format=resources",
        `-engine=${engine.program}`,
        "saved",
      );
      expect(shown.output).toContain("2 to forget and keep");
      const applied = await conn3x(directory, "apply", "saved", `-engine=${engine.program}`);
      expect(applied.status, applied.output).toBe(0);
      expect(applied.output).toContain("2 kept on the hosts");
      expect(await lab.hosts[0]!.must("stat -c %i /srv/shared")).toBe(before);
      await Promise.all(lab.hosts.map((host) => host.must("rm -f /srv/shared")));
      expect((await conn3x(directory, "destroy", "-auto-approve")).status).toBe(0);
    });

    test("renamed hosts and removed instances", async () => {
      const keyed = `
  step "keyed" {
    for_each = toset([for key in ["k"] : key])
    file {
      path    = "/srv/keyed"
      content = "x"
    }
  }
`;
      write(keyed);
      const made = await conn3x(directory, "apply", "-auto-approve");
      expect(made.status, made.output).toBe(0);
      const moved = "  moved {\n    from = host.web2\n    to   = host.web3\n  }\n";
      write(keyed + moved, "web3");
      const compiled = await conn3x(directory, "compile");
      expect(compiled.output).toContain("OpenTofu moves a part of a renamed host only");
      const ours = await conn3x(directory, "plan", `-engine=${engine.program}`);
      expect(ours.output).toContain("OpenTofu moves a part of a renamed host only");
      expect((await conn3x(directory, "plan", "-format=resources")).output).toContain(
        "0 to create, 0 to update, 0 to replace",
      );
      const { plan } = openWorkspace({ engine, directory, files: {}, provider });
      const planned = (await plan()).plan;
      expect(actionOf(planned, 'conn3x_file.web__keyed["web2/k"]')).toBe("delete");
      expect(actionOf(planned, 'conn3x_file.web__keyed["web3/k"]')).toBe("create");

      write(`${keyed}}\nremoved {\n  from = conn3x_file.web__gone["web2"]\n`);
      const embedded = await conn3x(directory, "plan");
      expect(embedded.status, embedded.output).toBe(0);
      const refused = await conn3x(directory, "plan", `-engine=${engine.program}`);
      expect(refused.status).toBe(1);
      expect(refused.output).toMatch(/instance/);
      write(keyed);
      expect((await conn3x(directory, "destroy", "-auto-approve")).status).toBe(0);
    });

    test("a condition that does not hold is told with its hosts, or once", async () => {
      const limited = `
  step "limited" {
    file {
      path    = "/srv/limited"
      content = "x"
    }
    lifecycle {
      precondition {
        condition     = host.name == "web0"
        error_message = "This is not web0."
      }
    }
  }
`;
      write(limited);
      const embedded = await conn3x(directory, "plan");
      expect(embedded.output).toContain('conn3x_file.web__limited["web1"]');
      const other = await conn3x(directory, "plan", `-engine=${engine.program}`);
      expect([embedded.status, other.status]).toEqual([1, 1]);
      expect(other.output.match(/This is not web0\./g)).toHaveLength(1);
      expect(other.output).not.toContain("conn3x_file.web__limited");
    });

    test("alone, what another address holds is deleted with the one that goes", async () => {
      const { apply } = await compiled(file("old", "shared"));
      expect((await apply()).status).toBe(0);
      const { plan, apply: applyAgain, destroy } = await compiled(file("young", "shared"));
      expect(actionOf((await plan()).plan, 'conn3x_file.web__old["web1"]')).toBe("delete");
      const applied = await applyAgain();
      expect(applied.stdout).toContain("2 destroyed");
      expect((await destroy()).status).toBe(0);
      await Promise.all(lab.hosts.map((host) => host.must("rm -f /srv/shared")));
    });

    /** Takes its time on the first host, and says then, in a log of the host, that it is done. */
    const noted = (step: string, seconds = 0) => `
  step "${step}" {
    command {
      run = "sleep \${host.name == "web1" ? ${seconds} : 0}; echo $(date +%s%N) ${step} >>/run/noted"
    }
  }
`;
    /** What is in the logs of all hosts, which have one clock, as `STEP HOST`. Begins them anew. */
    const inOrder = async (): Promise<readonly string[]> => {
      const logs = lab.hosts.map(async (host) =>
        (await host.must("cat /run/noted; rm /run/noted"))
          .trim()
          .split("\n")
          .map((line) => `${line} ${host.name}`),
      );
      return (await Promise.all(logs))
        .flat()
        .sort()
        .map((line) => line.replace(/^\d+ /, ""));
    };
    const ours = async (command: "apply" | "destroy", ...words: readonly string[]): Promise<void> => {
      const { status, output } = await conn3x(directory, command, "-auto-approve", ...words);
      expect(status, output).toBe(0);
    };
    const stepAfterStep = ["first", "first", "second", "second"];
    const [one, two] = ["web1", "web2"];

    test("alone, all hosts of a rollout are worked on at once", async () => {
      const { apply, destroy } = await compiled(
        `  rollout {\n    batch = 1\n  }\n${noted("first", 2)}${noted("second")}`,
      );
      expect((await apply()).status).toBe(0);
      expect((await inOrder()).map((line) => line.split(" ")[0])).toEqual(stepAfterStep);
      expect((await destroy()).status).toBe(0);
      await ours("apply", `-engine=${engine.program}`);
      expect(await inOrder()).toEqual([`first ${one}`, `second ${one}`, `first ${two}`, `second ${two}`]);
      await ours("destroy", `-engine=${engine.program}`);
    });

    test("hosts that are to go on by themselves go step after step", async () => {
      const { apply, destroy } = await compiled(`  order = "host"\n${noted("first", 2)}${noted("second")}`);
      expect((await apply()).status).toBe(0);
      expect((await inOrder()).map((line) => line.split(" ")[0])).toEqual(stepAfterStep);
      expect((await destroy()).status).toBe(0);
      await ours("apply", `-engine=${engine.program}`);
      expect((await inOrder()).map((line) => line.split(" ")[0])).toEqual(stepAfterStep);
      await ours("destroy", `-engine=${engine.program}`);
      await ours("apply");
      expect(await inOrder()).toEqual([`first ${two}`, `second ${two}`, `first ${one}`, `second ${one}`]);
      await ours("destroy");
    });

    test("each engine finds the state locked while another one works on it", async () => {
      const slow = `
  step "slow" {
    command {
      run = "touch /run/began; sleep 8"
    }
  }
`;
      write(slow);
      for (const [works, looks] of [
        [[], [`-engine=${engine.program}`]],
        [[`-engine=${engine.program}`], []],
      ] as const) {
        await Promise.all(lab.hosts.map((host) => host.must("rm -f /run/began")));
        const working = conn3x(directory, "apply", "-auto-approve", ...works);
        await until(
          "the command runs",
          30,
          async () => (await lab.hosts[0]!.exec("test -e /run/began")).status === 0,
        );
        const locked = await conn3x(directory, "plan", ...looks);
        expect(locked.status).toBe(1);
        expect(locked.output).toMatch(/lock/i);
        expect((await working).status).toBe(0);
        expect((await conn3x(directory, "destroy", "-auto-approve", ...works)).status).toBe(0);
      }
    });
  });
});
