/**
 * A host that is rebooted through another one, which keeps the way to it open: with a password for sudo, and with the
 * system's own ssh.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeLab, labHosts } from "../lab/for-tests.ts";
import { bundledProgram } from "./bundled.ts";

const password = "sudo pass 7";
const program = bundledProgram();

describeLab("a reboot through a bastion", () => {
  const lab = labHosts(2);
  const directories: string[] = [];
  beforeAll(async () => {
    await lab.hosts[1].must(
      `echo 'plain:${password}' | chpasswd; echo 'plain ALL=(ALL:ALL) ALL' >/etc/sudoers.d/plain
       install -d -m 0700 -o plain ~plain/.ssh; install -m 0600 -o plain ~deploy/.ssh/authorized_keys ~plain/.ssh/`,
    );
  });
  afterAll(() => {
    for (const directory of directories) rmSync(directory, { recursive: true, force: true });
  });

  const circuit = (ssh: string, trigger: string): string => `
circuit "web" {
  hosts = { inner = { address = "${lab.hosts[1].address}" } }
  ssh {
    private_key_file = "${lab.lab.keyFile}"
    known_hosts_file = "${lab.lab.knownHostsFile}"
    ssh_config_file  = "none"
    agent            = false
    become           = true
    ${ssh}
    bastion {
      address = "${lab.hosts[0].address}"
      user    = "deploy"
    }
  }
  step "reboot" {
    reboot {
      triggers = { once = "${trigger}" }
      timeout  = 90
    }
  }
  step "after" {
    command {
      run      = "cat /proc/sys/kernel/random/boot_id >/srv/after"
      triggers = { reboot = step.reboot.revision }
    }
  }
}
`;

  test.each([
    ["a login that needs no password", 'user = "deploy"'],
    ["a password for sudo", `user = "plain"\n    become_password = "${password}"`],
    ["the system's own ssh", 'user = "deploy"\n    transport = "openssh"'],
  ])("%s: one reboot, waited for, and the rest after it", async (name, ssh) => {
    const directory = mkdtempSync(join(tmpdir(), "conn3x-reboot-"));
    directories.push(directory);
    writeFileSync(join(directory, "main.circuit.hcl"), circuit(ssh, name));
    const [bastion, inner] = lab.hosts;
    const before = await Promise.all([bastion.bootId(), inner.bootId()]);
    const { status, output } = await program.run(directory, ["apply", "-auto-approve"]);
    expect(status, output).toBe(0);
    const after = await Promise.all([bastion.bootId(), inner.bootId()]);
    expect([after[0] === before[0], after[1] === before[1]]).toEqual([true, false]);
    expect(await inner.must("cat /srv/after")).toBe(`${after[1]}\n`);
    expect(await program.run(directory, ["plan", "-detailed-exitcode"])).toMatchObject({ status: 0 });
  });
});
