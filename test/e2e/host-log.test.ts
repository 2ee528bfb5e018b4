/**
 * `-log` and `-v` on real hosts, with secrets planted in every login and step: what they tell, and that none of the secrets
 * is in them, whichever engine plans.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findEngines, titled } from "../engines/engine.ts";
import { describeLab, labHosts } from "../lab/for-tests.ts";

const program = join(import.meta.dirname, "../../dist/conn3x.cjs");

const secrets = {
  passphrase: "qz-phrase-51c0de",
  password: "qz-login-7f3a19",
  content: "qz-content-0a9b8c",
  line: "qz-line-1f2e3d",
  derived: "qz-derived-6a5b4c",
  environment: "qz-it's-2b3c4d",
  stdin: "qz-stdin-9d8e7f",
};
const env: NodeJS.ProcessEnv = {
  ...process.env,
  TF_CLI_CONFIG_FILE: "/dev/null",
  ...Object.fromEntries(Object.entries(secrets).map(([name, value]) => [`TF_VAR_${name}`, value])),
};
const forms = Object.values(secrets).flatMap((secret) => [
  secret,
  [...secret].reverse().join(""),
  Buffer.from(secret).toString("base64").slice(0, 12),
]);

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "conn3x-host-log-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function conn3x(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd: directory,
    encoding: "utf8",
    env,
  });
  return { status, stdout, stderr };
}

describeLab("-log", () => {
  const lab = labHosts(2);

  /** The first host is logged in to with a key that has a passphrase, the second with a password; sudo asks for one. */
  async function plant(): Promise<void> {
    const [one, two] = [lab.hosts[0]!, lab.hosts[1]!];
    const key = join(directory, "key");
    spawnSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", secrets.passphrase, "-f", key]);
    for (const host of [one, two]) {
      await host.must("cat >>/home/plain/.ssh/authorized_keys", readFileSync(`${key}.pub`, "utf8"));
      await host.must(
        `chpasswd; echo 'plain ALL=(ALL) ALL' >/etc/sudoers.d/zz-test
         echo 'PasswordAuthentication yes' >/etc/ssh/sshd_config.d/zz-test.conf
         systemctl reset-failed ssh; systemctl restart ssh`,
        `plain:${secrets.password}\n`,
      );
    }
    const text = `
${Object.keys(secrets)
  .map((name) => `variable "${name}" {\n  sensitive = true\n}\n`)
  .join("")}
circuit "web" {
  hosts = {
    one = { address = "${one.address}", private_key_file = "key", passphrase = var.passphrase }
    two = { address = "${two.address}", password = var.password }
  }
  ssh {
    user             = "plain"
    known_hosts_file = "${lab.lab.knownHostsFile}"
    agent            = false
    ssh_config_file  = "none"
    become           = true
    become_password  = var.password
  }
  step "content" {
    file {
      path     = "/srv/content"
      content  = var.content
      validate = "grep -q . %s # \${strrev(var.content)}"
    }
  }
  step "line" {
    line {
      path   = "/srv/lines"
      line   = "token = \${var.line}"
      create = true
    }
  }
  step "command" {
    command {
      run                = "cat; cat /srv/content; echo $B \${strrev(var.derived)}; echo \${base64encode(var.derived)} >&2"
      stdin              = var.stdin
      secret_environment = { B = var.environment }
      only_if            = "test -n '\${strrev(var.derived)}'"
    }
  }
  step "open" {
    command {
      run = "echo open-command; cat /srv/lines"
    }
  }
}
`;
    writeFileSync(join(directory, "main.circuit.hcl"), text);
  }

  const logOf = (host: string): string => readFileSync(join(directory, "logs", `${host}.log`), "utf8");

  function expectNothingOf(stderr: string, what: string): void {
    expect(readdirSync(join(directory, "logs"))).toEqual(["one.log", "two.log"]);
    for (const [name, text] of [
      ["one", logOf("one")],
      ["two", logOf("two")],
      ["-v", stderr],
    ] as const)
      for (const form of forms) expect(text.includes(form), `${what}: ${name} has ${form}`).toBe(false);
    expect(statSync(join(directory, "logs/one.log")).mode & 0o777).toBe(0o600);
  }

  const engines = [
    ["the embedded engine", []] as const,
    ...titled(findEngines()).map(([title, { program }]) => [title, [`-engine=${program}`]] as const),
  ];

  describe.each(engines)("with %s", (_, flags) => {
    test("tells of logins, questions and answers, and has no secret", { timeout: 240_000 }, async () => {
      await plant();
      for (const [command, ...rest] of [
        ["plan"],
        ["apply", "-auto-approve"],
        ["plan", "-json"],
        ["drift"],
        ["destroy", "-auto-approve"],
      ] as const) {
        const { status, stderr } = conn3x(command, "-v", "-log=logs", ...flags, ...rest);
        expect([command, status, stderr]).toEqual([command, 0, expect.any(String)]);
        expectNothingOf(stderr, command);
        expect(stderr).toMatch(/^one: logged in after /m);
        expect(stderr).toMatch(/^two: logged in after /m);
      }
      expect(logOf("one")).toContain("offers key SHA256:");
      expect(logOf("two")).toContain("offers password");
      for (const text of [logOf("one"), logOf("two")]) {
        expect(text).toContain(" port 22 as plain, to become root with sudo");
        expect(text).toContain("host key SHA256:");
        expect(text).toMatch(/#\d+ file:\n {4}write \/srv\/content: 17 bytes/);
        expect(text).toMatch(/#\d+ command, to run the command:/);
        expect(text).toMatch(/#\d+ command answered after [\d.]+ s, status 0/);
        expect(text.includes("open-command")).toBe(flags.length === 0);
      }
    });
  });

  test("tells of refusals and of what was tried, without the passwords", async () => {
    await plant();
    env.TF_VAR_password = "qz-wrong-aaaaaa";
    try {
      const { status, stderr } = conn3x("apply", "-auto-approve", "-v", "-log=logs");
      expect(status).toBe(1);
      const reported = stderr.split("\n").filter((line) => /^(one|two): /.test(line));
      expectNothingOf(reported.join("\n"), "apply");
      for (const text of [logOf("one"), logOf("two")]) expect(text).not.toContain("qz-");
      expect(logOf("one")).toContain("did not accept the become_password of plain");
      expect(logOf("two")).toMatch(/offers password\n/);
      expect(logOf("two")).toMatch(/not logged in after .* refused the login as plain/);
    } finally {
      env.TF_VAR_password = secrets.password;
    }
  });

  test("tells of a system's ssh as well", async () => {
    await plant();
    const text = readFileSync(join(directory, "main.circuit.hcl"), "utf8");
    writeFileSync(
      join(directory, "main.circuit.hcl"),
      text.replace("agent            = false", 'agent            = false\n    transport        = "openssh"'),
    );
    const { status, stderr } = conn3x("apply", "-auto-approve", "-v", "-log=logs");
    expect([status, stderr]).toEqual([0, expect.any(String)]);
    expectNothingOf(stderr, "apply");
    expect(logOf("two")).toMatch(/logged in after /);
  });
});
