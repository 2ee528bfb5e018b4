/**
 * What `conn3x -engine` takes that the built-in engine does not, and how it ends when it is interrupted.
 */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findEngines, titled } from "../engines/engine.ts";
import { describeLab, labHosts } from "../lab/for-tests.ts";
import type { LabHost } from "../lab/host.ts";
import { until } from "../lab/run.ts";
import { conn3x } from "./conn3x.ts";

const program = join(import.meta.dirname, "../../dist/conn3x.cjs");
/** A configuration without circuits names the provider itself. */
const required = `
terraform {
  required_providers {
    conn3x = { source = "registry.opentofu.org/conn3x/conn3x" }
  }
}
`;
let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "conn3x-engines-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));
const write = (name: string, text: string): void => writeFileSync(join(directory, name), text);

describeLab("conn3x -engine", () => {
  const lab = labHosts(2);
  const login = (user = "deploy") => `
    user             = "${user}"
    private_key_file = "${lab.lab.keyFile}"
    known_hosts_file = "${lab.lab.knownHostsFile}"
    agent            = false
`;

  describe.each(titled(findEngines()))("%s", (_, { program: engine }) => {
    test("a host's address that another resource of the same plan gives, and the machine replaced", async () => {
      const [one, two] = lab.hosts;
      const text = (machine: LabHost) =>
        `
resource "terraform_data" "machine" {
  input            = "${machine.address}"
  triggers_replace = "${machine.address}"
}

circuit "web" {
  hosts = { one = terraform_data.machine.output }
  ssh {${login()}    become = true
  }
  step "note" {
    file {
      path    = "/srv/note"
      content = "hello"
    }
    notify = [handler.reload]
  }
  step "name" {
    command {
      run = "echo ran >>/srv/ran; hostname"
    }
  }
  handler "reload" {
    service {
      name   = "lab-web"
      action = "restart"
    }
  }
}

output "address" {
  value = terraform_data.machine.output
}
output "name" {
  value = trimspace(conn3x_command.web__name["one"].stdout)
}
`;
      write("main.circuit.hcl", text(one!));
      const refused = await conn3x(directory, "plan");
      expect(refused.status).toBe(1);
      expect(refused.output).toContain("-engine=tofu");

      const planned = await conn3x(directory, "plan", "-detailed-exitcode", `-engine=${engine}`);
      expect(planned.status, planned.output).toBe(2);
      expect(planned.output).toContain("# terraform_data.machine will be created");
      expect(planned.output).toMatch(/^ {2}\+ note +file \S+ +one +new$/m);
      const applied = await conn3x(directory, "apply", "-auto-approve", `-engine=${engine}`);
      expect(applied.status, applied.output).toBe(0);
      expect(applied.output).toContain("Apply complete! 4 created");
      expect(applied.output).toContain(`address = "${one!.address}"`);
      expect(await one!.must("cat /srv/note")).toBe("hello");
      const again = await conn3x(directory, "plan", "-detailed-exitcode", `-engine=${engine}`);
      expect(again.status, again.output).toBe(0);

      // What is at the new address is another machine, although the plan could not look at it.
      write("main.circuit.hcl", text(two!));
      const replaced = await conn3x(directory, "apply", "-auto-approve", `-engine=${engine}`);
      expect(replaced.status, replaced.output).toBe(0);
      expect(replaced.output).toContain(`name = "${two!.name}"`);
      expect(await two!.must("cat /srv/note /srv/ran; grep -c started /run/lab-web/log")).toBe(
        "helloran\n1\n",
      );
      expect(await one!.must("cat /srv/note /srv/ran")).toBe("helloran\n");
      const settled = await conn3x(directory, "plan", "-detailed-exitcode", `-engine=${engine}`);
      expect(settled.status, settled.output).toBe(0);
      await one!.must("rm -r /srv/note /srv/ran");
      expect((await conn3x(directory, "destroy", "-auto-approve", `-engine=${engine}`)).status).toBe(0);
      expect((await two!.exec("test -e /srv/note")).status).toBe(1);
      await two!.must("rm -rf /srv/ran /run/lab-web/log; systemctl stop lab-web");
    });

    test("what failed on one host stops the others here, and not with the built-in engine", async () => {
      const [one, two] = lab.hosts;
      write(
        "main.circuit.hcl",
        `
circuit "web" {
  hosts = { one = "${one!.address}", two = "${two!.address}" }
  ssh {${login()}    become = true
  }
  step "check" {
    command {
      run = "test ! -e /srv/refuse"
    }
  }
  step "note" {
    file {
      path    = "/srv/note"
      content = "hello"
    }
  }
}
`,
      );
      await one!.must("touch /srv/refuse");
      const stopped = await conn3x(directory, "apply", "-auto-approve", `-engine=${engine}`);
      expect(stopped.status, stopped.output).toBe(1);
      expect(stopped.output).toContain("Apply incomplete: 1 failed, 2 not done. 1 created");
      expect((await two!.exec("test -e /srv/note")).status).toBe(1);
      const isolated = await conn3x(directory, "apply", "-auto-approve");
      expect(isolated.status, isolated.output).toBe(1);
      expect(isolated.output).toContain("Apply incomplete: 1 failed, 1 not done. 1 created");
      expect(await two!.must("cat /srv/note")).toBe("hello");
      await one!.must("rm /srv/refuse");
      expect((await conn3x(directory, "destroy", "-auto-approve", `-engine=${engine}`)).status).toBe(0);
    });

    test("a state that is not in the usual file is found by those that only look", async () => {
      const [one] = lab.hosts;
      write(
        "main.circuit.hcl",
        `
terraform {
  backend "local" {
    path = "elsewhere/state"
  }
}

circuit "web" {
  hosts = { one = "${one!.address}" }
  ssh {${login()}    become = true
  }
  step "note" {
    file {
      path    = "/srv/note"
      content = "hello"
    }
  }
}

output "greeting" {
  value = "hello"
}
`,
      );
      const applied = await conn3x(directory, "apply", "-auto-approve", `-engine=${engine}`);
      expect(applied.status, applied.output).toBe(0);
      expect(readdirSync(join(directory, "elsewhere"))).toContain("state");
      const address = 'conn3x_file.web__note["one"]';
      const listed = await conn3x(directory, "state", "list", `-engine=${engine}`);
      expect(listed).toEqual({ status: 0, output: `${address}\n` });
      expect((await conn3x(directory, "show", `-engine=${engine}`)).output).toContain(`# ${address}:`);
      expect(await conn3x(directory, "output", "-raw", `-engine=${engine}`, "greeting")).toEqual({
        status: 0,
        output: "hello",
      });
      const again = await conn3x(directory, "plan", "-detailed-exitcode", `-engine=${engine}`);
      expect(again.status, again.output).toBe(0);
      expect((await conn3x(directory, "destroy", "-auto-approve", `-engine=${engine}`)).status).toBe(0);
    });

    test("two configurations of the provider, each with its own login", async () => {
      const [one] = lab.hosts;
      const file = (name: string) => `
resource "conn3x_file" "${name}" {
  provider = conn3x.${name}
  path     = "/tmp/of-${name}"
  content  = "${name}"
  ssh {
    address = "${one!.address}"
  }
}
provider "conn3x" {
  alias = "${name}"
  ssh {${login(name)}  }
}
`;
      write("main.tf", required + file("deploy") + file("plain"));
      const applied = await conn3x(directory, "apply", "-auto-approve", `-engine=${engine}`);
      expect(applied.status, applied.output).toBe(0);
      expect(await one!.must("stat -c '%n %U' /tmp/of-deploy /tmp/of-plain")).toBe(
        "/tmp/of-deploy deploy\n/tmp/of-plain plain\n",
      );
      const again = await conn3x(directory, "plan", "-detailed-exitcode", `-engine=${engine}`);
      expect(again.status, again.output).toBe(0);
      expect((await conn3x(directory, "destroy", "-auto-approve", `-engine=${engine}`)).status).toBe(0);
    });

    test("^C lets what is running finish, saves the state and leaves nothing behind", async () => {
      const [one] = lab.hosts;
      write(
        "main.circuit.hcl",
        `
circuit "web" {
  hosts = { one = "${one!.address}" }
  ssh {${login()}    become = true
  }
  step "slow" {
    command {
      run = "touch /run/began; sleep 3; touch /run/ended"
    }
  }
  step "next" {
    file {
      path    = "/srv/next"
      content = "not reached"
    }
  }
}
`,
      );
      await one!.must("rm -f /run/began /run/ended");
      const temporary = join(directory, "tmp");
      const { output, status } = await interrupted(engine, temporary, async () =>
        until("the command runs", 30, async () => (await one!.exec("test -e /run/began")).status === 0),
      );
      expect(status, output).toBe(1);
      expect(output).toContain("Stopping: what is running finishes");
      expect(output).toContain("Apply stopped: 1 not done. 1 created");
      expect((await one!.exec("test -e /run/ended")).status).toBe(0);
      expect((await one!.exec("test -e /srv/next")).status).toBe(1);
      const state = JSON.parse(readFileSync(join(directory, "terraform.tfstate"), "utf8"));
      expect(state.resources.map(({ name }: { name: string }) => name)).toEqual(["web__slow"]);
      expect(readdirSync(temporary)).toEqual([]);
      const rest = await conn3x(directory, "apply", "-auto-approve", `-engine=${engine}`);
      expect(rest.status, rest.output).toBe(0);
      expect((await conn3x(directory, "destroy", "-auto-approve", `-engine=${engine}`)).status).toBe(0);
    });
  });
});

/** An apply that gets SIGINT when `ready` has settled. */
async function interrupted(engine: string, temporary: string, ready: () => Promise<unknown>) {
  mkdirSync(temporary);
  const child = spawn(process.execPath, [program, "apply", "-auto-approve", `-engine=${engine}`], {
    cwd: directory,
    env: { ...process.env, TMPDIR: temporary },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      output += chunk;
    });
  const ended = new Promise<number>((resolve) => child.on("close", (status) => resolve(status ?? 128)));
  await Promise.race([ready(), ended]);
  child.kill("SIGINT");
  return { status: await ended, output };
}
