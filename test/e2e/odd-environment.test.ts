/**
 * Whatever a host's environment holds (and sudo lets through): each kind reads and does there what it does elsewhere, and
 * only the user's commands see it.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeLab, labHosts } from "../lab/for-tests.ts";
import { bundledProgram } from "./bundled.ts";
import { fleetBlocks } from "./interrupted-circuit.ts";

const program = bundledProgram();
const odd = {
  POSIXLY_CORRECT: "1",
  LANG: "tr_TR.UTF-8",
  LANGUAGE: "tr",
  LS_COLORS: "di=01;34",
  GREP_OPTIONS: "--color=always",
  GREP_COLORS: "mt=01;31",
  QUOTING_STYLE: "c",
  TIME_STYLE: "+odd",
  BLOCK_SIZE: "human-readable",
  TMPDIR: "/nonexistent/tmp",
  SYSTEMD_COLORS: "1",
  SYSTEMD_LOG_LEVEL: "debug",
  SYSTEMCTL_SKIP_SYSV: "1",
  SYSTEMCTL_SKIP_REDIRECT: "1",
  SYSTEMD_PAGER: "false",
  PAGER: "false",
  CDPATH: "/tmp:/",
  ENV: "/etc/profile-that-prints",
  BASH_ENV: "/etc/profile-that-prints",
  COLUMNS: "10",
  APT_CONFIG: "/nonexistent/apt.conf",
  DPKG_COLORS: "always",
  http_proxy: "http://proxy.example:3128",
};

describeLab("a host with an odd environment", () => {
  const lab = labHosts(1);
  const directory = mkdtempSync(join(tmpdir(), "conn3x-odd-"));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  const run = (...args: string[]) => program.run(directory, args);
  const done = async (...args: string[]) => {
    const { status, output } = await run(...args);
    expect(status, output).toBe(0);
    return output;
  };

  beforeAll(async () => {
    const lines = Object.entries(odd).map(([name, value]) => `${name}="${value}"`);
    await lab.hosts[0].must(`cat >/etc/environment <<'EOF'\n${lines.join("\n")}\nEOF
echo 'echo printed by a start-up file' >/etc/profile-that-prints
echo 'Defaults !env_reset, !env_check, !env_delete' >/etc/sudoers.d/keep-all
chmod 440 /etc/sudoers.d/keep-all
mkdir -p '/srv/o/x0 y'`);
    writeFileSync(
      join(directory, "main.circuit.hcl"),
      `circuit "odd" {
${fleetBlocks(lab.lab, lab.hosts)}
  step "place" {
    directory {
      path = "/srv/o/x0 y/ı"
      mode = "0750"
    }
  }
  step "file" {
    file {
      path    = "/srv/o/x0 y/ı/f"
      content = "INI ini\\n"
    }
    notify = [handler.restart]
  }
  step "link" {
    link {
      path   = "/srv/o/link"
      target = "x0 y/ı/f"
    }
  }
  step "line" {
    line {
      path   = "/srv/o/lines"
      line   = "a b"
      create = true
    }
  }
  step "package" {
    package {
      name    = "conn3x-demo"
      version = "1.0"
    }
  }
  step "service" {
    service {
      name    = "lab-worker"
      running = true
      enabled = true
    }
  }
  step "command" {
    command {
      run = "env >/srv/o/env"
    }
  }
  handler "restart" {
    service {
      name   = "lab-web"
      action = "restart"
    }
  }
}
`,
    );
  });

  test("is brought to what is wanted, and found so again", async () => {
    await done("apply", "-auto-approve");
    expect(await done("plan", "-detailed-exitcode")).toContain("No changes.");
    expect(
      await lab.hosts[0].must(`cd /srv/o; stat -c %a 'x0 y/ı'; cat link lines
dpkg-query -W -f '\${Version}\\n' conn3x-demo; systemctl is-active lab-worker; systemctl is-enabled lab-worker`),
    ).toBe("750\nINI ini\na b\n1.0\nactive\nenabled\n");
  });

  test("shows its drift", async () => {
    await lab.hosts[0].must(
      "systemctl stop lab-worker; echo other >'/srv/o/x0 y/ı/f'; ln -sfn elsewhere /srv/o/link",
    );
    const { status, output } = await run("plan", "-detailed-exitcode");
    expect(status, output).toBe(2);
    expect(output).toContain(" 3 updated;");
    await done("apply", "-auto-approve");
    expect((await run("plan", "-detailed-exitcode")).status).toBe(0);
  });

  test("hands all of it to the user's commands", async () => {
    const seen = await lab.hosts[0].must("cat /srv/o/env");
    // sudo takes TMPDIR away whatever its settings are.
    for (const [name, value] of Object.entries(odd)) {
      if (name !== "TMPDIR") expect(seen).toContain(`${name}=${value}\n`);
    }
    expect(seen).toMatch(/^PATH=.*\/usr\/bin/m);
    expect(seen).toContain("HOME=/root\n");
  });

  test("is left without anything at the end", async () => {
    await done("destroy", "-auto-approve");
    expect(await lab.hosts[0].must("ls -A /srv/o '/srv/o/x0 y'")).toBe(
      "/srv/o:\nenv\nx0 y\n\n/srv/o/x0 y:\n",
    );
  });
});
