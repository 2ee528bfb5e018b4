/**
 * More hosts than this machine lets a process have connections: they are waited for, and nothing fails.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { whyNoLab } from "../lab/available.ts";
import { describeLab, labHosts } from "../lab/for-tests.ts";
import { bundledProgram } from "./bundled.ts";

const program = bundledProgram();
const start = promisify(execFile);

describeLab("64 open files", () => {
  const lab = labHosts(1);
  const directory = mkdtempSync(join(tmpdir(), "conn3x-few-"));
  afterAll(() => rmSync(directory, { recursive: true }));
  beforeAll(async () => {
    if (whyNoLab() !== undefined) return;
    const many = "mkdir -m 777 /srv/many; printf 'MaxStartups 400\\n' >/etc/ssh/sshd_config.d/zz-test.conf";
    await lab.hosts[0].must(`${many}; systemctl restart ssh`);
  });

  test.each([
    ["ssh2", 60],
    ["openssh", 4],
  ])("are enough for hosts by %s: %d", async (transport, count) => {
    // Names of one host, so that each has a connection of its own.
    writeFileSync(join(directory, "config"), `Host h*\n  HostName ${lab.hosts[0].address}\n`);
    writeFileSync(
      join(directory, "main.circuit.hcl"),
      `circuit "many" {
  hosts = { for i in range(${count}) : "h\${i}" => "h\${i}" }
  ssh {
    user              = "deploy"
    private_key_file  = "${lab.lab.keyFile}"
    host_key_checking = "off"
    ssh_config_file   = "${join(directory, "config")}"
    agent             = false
    connect_timeout   = 30
    transport         = "${transport}"
  }
  step "f" {
    file {
      path    = "/srv/many/${transport}-\${host.name}"
      content = "x\\n"
    }
  }
}
`,
    );
    const command = `ulimit -n 64; exec "${process.execPath}" "${program.file}" apply -auto-approve`;
    const { stdout } = await start("sh", ["-c", command], { cwd: directory, maxBuffer: 1e8 });
    expect(stdout).toContain("Apply complete!");
    expect(await lab.hosts[0].must(`ls /srv/many | grep -c ^${transport}`)).toBe(`${count}\n`);
  });
});
