/**
 * `-log` and `-v`: what is in them, and that nothing secret is.
 */
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { bundleProgram, type Program } from "./program.ts";
import { openSite, type Site } from "./site.ts";

let program: Program;
let site: Site;
beforeAll(async () => {
  [program, site] = await Promise.all([bundleProgram(), openSite()]);
});
afterAll(async () => {
  program?.remove();
  await site?.remove();
});
const logs = (): string => join(site.directory, "logs");
beforeEach(() => rmSync(logs(), { recursive: true, force: true }));

const secrets = {
  content: "pl4nted-content's",
  line: "pl4nted-line",
  guard: "pl4nted-guard",
  derived: "pl4nted-derived",
  environment: "pl4nted-'environment'",
  stdin: "pl4nted-stdin",
  echoed: "pl4nted-echoed",
  validation: "pl4nted-validation",
  large: Array.from({ length: 4000 }, (_, i) => `pl4nted-${i}-in-a-large-text`).join(" "),
  password: "pl4nted-password",
  passphrase: "pl4nted-passphrase",
  become_password: "pl4nted-become",
};
const env = Object.fromEntries(Object.entries(secrets).map(([name, value]) => [`TF_VAR_${name}`, value]));

const circuit = (): string => `
${Object.keys(secrets)
  .map((name) => `variable "${name}" {\n  sensitive = true\n}\n`)
  .join("")}
circuit "web" {
  hosts = {
    web1 = {
      address  = "${site.host.address}", port = ${site.host.port}, host_key = "${site.host.hostKey}"
      password = var.password
    }
  }
  ssh {
    user             = "${site.host.user}"
    private_key_file = "key"
    passphrase       = var.passphrase
    become_password  = var.become_password
    agent            = false
  }
  step "content" {
    file {
      path     = "${site.host.root}/srv/content"
      content  = var.content
      validate = "grep -q . %s # \${var.validation}"
    }
  }
  step "large" {
    command {
      run   = "cat"
      stdin = var.large
    }
  }
  step "line" {
    line {
      path   = "${site.host.root}/srv/lines"
      line   = "token = \${var.line}"
      create = true
    }
  }
  step "guarded" {
    command {
      run     = "echo \${base64encode(var.derived)} >&2; echo \${strrev(var.derived)}"
      only_if = "test -n '\${strrev(var.guard)}'"
    }
  }
  step "secret" {
    command {
      run                = "echo $B; cat"
      stdin              = var.stdin
      secret_environment = { B = var.environment }
    }
  }
  step "open" {
    command {
      run = "echo open-command; cat ${site.host.root}/srv/content; echo on-stderr >&2"
    }
  }
}
`;

const run = (...args: string[]) => program.run(args, { cwd: site.directory, env });
const log = (): string => readFileSync(join(logs(), "web1.log"), "utf8");
const reversed = (text: string): string => [...text].reverse().join("");

test("X11: every command that asks hosts writes what it asked and what they answered, and nothing secret", async () => {
  site.write(circuit());
  for (const [args, says] of [
    [["plan"], ["look at conn3x_file"]],
    [
      ["apply", "-auto-approve"],
      ["open-command", "on-stderr", "only_if", "write", "standard input"],
    ],
    [["apply", "-auto-approve", "-replace", 'conn3x_command.web__guarded["web1"]'], ["only_if"]],
    [["drift", "-json"], ["look at conn3x_file"]],
    [["refresh"], ["look at conn3x_line"]],
    [["run", "--", `cat ${site.host.root}/srv/content; echo ran`], ["ran"]],
    [["destroy", "-auto-approve"], ["status 0"]],
  ] as const) {
    rmSync(logs(), { recursive: true, force: true });
    const [command, ...rest] = args;
    const spoken = await run(command, "-log=logs", "-v", ...rest);
    expect([command, spoken.status, spoken.stderr]).toEqual([command, 0, expect.any(String)]);
    const text = log();
    for (const word of [
      "connecting to",
      "host key SHA256:",
      "offers key",
      "logged in",
      "channel opened",
      ...says,
    ])
      expect(text, command).toContain(word);
    for (const secret of Object.values(secrets)) {
      for (const form of [secret, reversed(secret), Buffer.from(secret).toString("base64").slice(0, 12)]) {
        expect(text, `${command}: log`).not.toContain(form);
        expect(spoken.stderr, `${command}: -v`).not.toContain(form);
      }
    }
    expect(spoken.stderr).toMatch(/^web1: connecting to /m);
    expect(spoken.stderr.split("\n").filter((line) => line !== "" && !line.startsWith("web1: "))).toEqual([]);
    expect([statSync(logs()).mode & 0o777, statSync(join(logs(), "web1.log")).mode & 0o777]).toEqual([
      0o700, 0o600,
    ]);
    expect(readdirSync(logs())).toEqual(["web1.log"]);
  }
});

test("standard output is the same with and without", async () => {
  site.write(site.circuit);
  const plain = await run("plan");
  const spoken = await run("plan", "-v", "-log", "logs");
  expect(spoken.stdout).toBe(plain.stdout);
  expect(plain.stderr).toBe("");
  const json = await run("plan", "-json", "-v");
  for (const line of json.stdout.trim().split("\n")) expect(() => JSON.parse(line)).not.toThrow();
  expect(json.stderr).toContain("web1: ");
  expect((await run("plan")).stderr).toBe("");
});

test("a host that refuses the login says what was tried", async () => {
  site.write(site.circuit.replace('private_key_file = "key"', 'password = "pl4nted-wrong"'));
  const refused = await run("apply", "-auto-approve", "-log=logs");
  expect(refused.status).toBe(1);
  expect(log()).toMatch(/offers password$/m);
  expect(log()).toMatch(/the host accepts /);
  expect(log()).toMatch(/not logged in after \d/);
  expect(log()).not.toContain("pl4nted");
});

test("a directory that cannot be had ends the command before any host is asked", async () => {
  site.write(site.circuit);
  writeFileSync(join(site.directory, "file"), "");
  const refused = await run("plan", "-log=file");
  expect(refused.status).toBe(1);
  expect(refused.stderr).toContain("Log cannot be written");
  expect(existsSync(logs())).toBe(false);
});
