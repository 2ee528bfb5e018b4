/**
 * A host that only others can see, worked on through two of them: the second with a password, which is in no state.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findEngines } from "../engines/engine.ts";
import { describeLab, labHosts } from "../lab/for-tests.ts";
import { bundledProgram } from "./bundled.ts";

const password = "hop secret 42";
const program = bundledProgram();
const engines = ["embedded", ...findEngines().map(({ program: path }) => path)];

describeLab("through bastions", () => {
  const lab = labHosts(2);
  let innerKey: string;
  const directories: string[] = [];
  afterAll(() => {
    for (const directory of directories) rmSync(directory, { recursive: true, force: true });
  });

  beforeAll(async () => {
    const second = lab.hosts[1]!;
    await second.must(
      `ssh-keygen -q -t ed25519 -N '' -f /etc/ssh/inner_key
       cat >/etc/ssh/inner_config
       /usr/sbin/sshd -f /etc/ssh/inner_config
       useradd -m gate
       echo 'gate:${password}' | chpasswd
       echo 'PasswordAuthentication yes' >/etc/ssh/sshd_config.d/password.conf
       systemctl reload ssh`,
      "ListenAddress 127.0.0.1\nPort 2022\nHostKey /etc/ssh/inner_key\nPidFile /run/inner.pid\nUsePAM yes\n",
    );
    innerKey = (await second.must("cut -d' ' -f1,2 /etc/ssh/inner_key.pub")).trim();
  });

  const ssh = (hops: string): string => `
    user             = "deploy"
    private_key_file = "${lab.lab.keyFile}"
    known_hosts_file = "${lab.lab.knownHostsFile}"
    ssh_config_file  = "none"
    agent            = false
    become           = true
${hops}`;

  const hop = (more: string) => `
    bastion {
      address = "${lab.hosts[0]!.address}"
    }
    bastion {
      address  = "${lab.hosts[1]!.address}"
      user     = "gate"
      password = var.password
      ${more}
    }
`;
  const list = () =>
    `bastion = [{ address = "${lab.hosts[0]!.address}" }, { address = "${lab.hosts[1]!.address}", user = "gate", password = var.password }]`;

  const circuit = (host: string, hops: string): string => `
variable "password" {
  sensitive = true
  default   = "${password}"
}
circuit "web" {
  hosts = { inner = { address = "127.0.0.1", port = 2022, host_key = "${innerKey}" ${host} } }
  ssh {${ssh(hops)}  }
  step "note" {
    file {
      path    = "/etc/through"
      content = "by way of others\\n"
    }
  }
}
`;

  test.each(engines)("with %s: made, seen again as it is, edited without a new revision", async (engine) => {
    const directory = mkdtempSync(join(tmpdir(), "conn3x-bastions-"));
    directories.push(directory);
    const write = (text: string) => writeFileSync(join(directory, "main.circuit.hcl"), text);
    const run = (...args: string[]) => program.run(directory, [...args, `-engine=${engine}`]);
    const state = () => readFileSync(join(directory, "terraform.tfstate"), "utf8");
    const revision = () => /"revision": "([0-9a-f]{16})"/.exec(state())?.[1];
    await lab.hosts[1]!.must("rm -f /etc/through");

    write(circuit("", hop("")));
    expect(await run("apply", "-auto-approve")).toMatchObject({ status: 0 });
    expect(await lab.hosts[1]!.must("cat /etc/through")).toBe("by way of others\n");
    expect(await run("plan", "-detailed-exitcode")).toMatchObject({ status: 0 });
    const made = revision();
    expect(made).toBeDefined();

    write(circuit("", hop("port = 22")));
    const edited = await run("apply", "-auto-approve");
    expect(edited).toMatchObject({ status: 0, output: expect.stringContaining("1 updated") });
    expect(revision()).toBe(made);

    // The host's own chain is the same one, as a value; the circuit's, which leads nowhere, is not a part of it.
    write(circuit(`, ${list()}`, '    bastion {\n      address = "127.0.0.1"\n      port    = 1\n    }\n'));
    const again = await run("apply", "-auto-approve");
    expect(again).toMatchObject({ status: 0 });
    expect(revision()).toBe(made);
    expect(await run("plan", "-detailed-exitcode")).toMatchObject({ status: 0 });

    expect(state()).not.toContain(password);
    expect(edited.output + again.output).not.toContain(password);
    expect(await run("destroy", "-auto-approve")).toMatchObject({ status: 0 });
    expect((await lab.hosts[1]!.exec("test -e /etc/through")).status).toBe(1);
  });

  test("the provider's own bastions are for all", async () => {
    const directory = mkdtempSync(join(tmpdir(), "conn3x-bastions-"));
    directories.push(directory);
    const text = `
provider "conn3x" {
  ssh {${ssh(hop("").replace("var.password", `"${password}"`))}  }
}
resource "conn3x_file" "note" {
  path    = "/etc/through-defaults"
  content = "x"
  ssh {
    address  = "127.0.0.1"
    port     = 2022
    host_key = "${innerKey}"
  }
}
`;
    writeFileSync(join(directory, "main.tf"), text);
    expect(await program.run(directory, ["apply", "-auto-approve"])).toMatchObject({ status: 0 });
    expect(await lab.hosts[1]!.must("cat /etc/through-defaults")).toBe("x");
    expect(readFileSync(join(directory, "terraform.tfstate"), "utf8")).not.toContain(password);
  });
});
