/**
 * X11: secrets in every place that can hold one, and everything that any command prints searched for them. What holds
 * sensitive values on purpose, as OpenTofu's does (state, saved plan, `-plan-json`, `show -json`, `output -json`), is
 * named here; login secrets are not even there.
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundleProgram, type Outcome, type Program } from "./program.ts";
import { openSite, type Site } from "./site.ts";

let program: Program;
let site: Site;
beforeAll(async () => {
  [program, site] = await Promise.all([bundleProgram(), openSite()]);
  site.write(circuit(site));
});
afterAll(async () => {
  program?.remove();
  await site?.remove();
});

/** By what holds them. */
const secrets = {
  content: "pl4nted-content",
  base64: "cGw0bnRlZC1iYXNlNjQ=",
  environment: "pl4nted-environment",
  plain_environment: "pl4nted-plain-environment",
  command: "pl4nted-command",
  stdin: "pl4nted-stdin",
  line: "pl4nted-line",
  output: "pl4nted-output",
  nested: "pl4nted-nested",
};
/** What logs in: never stored. */
const logins = {
  password: "pl4nted-password",
  passphrase: "pl4nted-passphrase",
  become_password: "pl4nted-become-password",
  provider_password: "pl4nted-provider-password",
};
const found = "pl4nted-found-on-the-host";

const all = { ...secrets, ...logins };
const environment = Object.fromEntries(Object.entries(all).map(([name, value]) => [`TF_VAR_${name}`, value]));

const circuit = (site: Site, more = ""): string => `
${Object.keys(all)
  .map((name) => `variable "${name}" {\n  sensitive = true\n}\n`)
  .join("")}
provider "conn3x" {
  ssh {
    password = var.provider_password
  }
}
locals {
  nested = { inner = [var.nested] }
}
output "secret" {
  value     = var.output
  sensitive = true
}
output "of_resource" {
  value     = conn3x_file.web__content["web1"].content
  sensitive = true
}
circuit "web" {
  hosts = {
    web1 = {
      address  = "${site.host.address}", port = ${site.host.port}, host_key = "${site.host.hostKey}"
      password = var.password
      vars     = { token = var.nested }
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
      path    = "${site.host.root}/srv/content"
      content = "\${var.content} \${local.nested.inner[0]} \${host.vars.token}"
    }
  }
  step "base64" {
    file {
      path           = "${site.host.root}/srv/base64"
      content_base64 = var.base64
    }
  }
  step "line" {
    line {
      path   = "${site.host.root}/srv/lines"
      line   = "token = \${var.line}"
      create = true
    }
  }
  step "command" {
    command {
      run                = "cat; echo $A $B \${var.command}; true"
      stdin              = var.stdin
      environment        = { A = var.plain_environment }
      secret_environment = { B = var.environment }
    }
  }
${more}}
`;

const run = (...args: string[]) => program.run(args, { cwd: site.directory, env: environment });

function expectNothingOf({ stdout, stderr }: Outcome, what: string): void {
  const text = stdout + stderr;
  const hashes = [secrets.content, secrets.line, found];
  for (const value of [...Object.values(all), ...hashes, "pl4nted"])
    expect(text.includes(value), `${what} shows ${value}`).toBe(false);
}

async function silent(status: number, ...args: string[]): Promise<Outcome> {
  const outcome = await run(...args);
  expect([args.join(" "), outcome.status, outcome.stderr]).toEqual([
    args.join(" "),
    status,
    status === 1 ? expect.any(String) : expect.not.stringContaining("Error"),
  ]);
  expectNothingOf(outcome, args.join(" "));
  return outcome;
}

test("nothing that is printed before and while something is made has one", async () => {
  for (const args of [
    ["validate"],
    ["validate", "-json"],
    ["graph"],
    ["compile"],
    ["plan"],
    ["plan", "-json"],
  ])
    await silent(0, ...args);
  await silent(0, "plan", "-out=saved");
  await silent(0, "show", "saved");
  await silent(0, "apply", "-json", "-auto-approve");
  expect(readFileSync(site.path("srv/content"), "utf8")).toBe(
    `${secrets.content} ${secrets.nested} ${secrets.nested}`,
  );
});

test("nothing that is printed of what is stored has one", async () => {
  for (const args of [["show"], ["state", "list"], ["output"], ["drift"], ["drift", "-json"], ["plan"]])
    await silent(0, ...args);
  const shown = await silent(0, "state", "show", "conn3x_file.web__content", "conn3x_command.web__command");
  expect(shown.stdout).toContain("(sensitive value)");
  const asked = await program.run(["console"], {
    cwd: site.directory,
    env: environment,
    input: `var.content\nlocal.nested\nconn3x_file.web__content["web1"]\nconn3x_command.web__command["web1"].stdout\n"x \${var.line}"\n`,
  });
  expect(asked.status).toBe(0);
  expectNothingOf(asked, "console");
});

test("nothing that is printed of drift and edits has one", async () => {
  writeFileSync(site.path("srv/content"), found);
  await silent(2, "drift");
  await silent(2, "drift", "-json");
  await silent(0, "plan");
  await silent(0, "plan", "-json", "-replace", 'conn3x_file.web__content["web1"]');
  await silent(0, "plan", "-refresh-only");
  await silent(0, "plan", "-destroy", "-json");
  await silent(0, "refresh");
  await silent(0, "apply", "-auto-approve");
});

test("nothing that is printed of what is wrong, or fails, has one", async () => {
  const failing = (body: string) => `  step "failing" {\n    ${body}\n  }\n`;
  const cases: readonly [string, number][] = [
    ['command {\n run = "echo ${var.command} >&2; exit 3"\n }', 1],
    [
      `file {\n path = "${site.host.root}/srv/v"\n content = var.content\n validate = "cat %s >&2; false"\n }`,
      1,
    ],
    ['file {\n path = var.content\n content = "x"\n }', 1],
    [`file {\n path = "${site.host.root}/srv/m"\n content = "x"\n mode = var.content\n }`, 1],
    [`file {\n path = "${site.host.root}/srv/o"\n content = "x"\n owner = var.content\n }`, 1],
    ['wait_for {\n command = "echo ${var.command} >&2; false"\n timeout = 1\n interval = 1\n }', 1],
  ];
  for (const [body, status] of cases) {
    site.write(circuit(site, failing(body)));
    for (const args of [
      ["apply", "-auto-approve"],
      ["apply", "-auto-approve", "-json"],
    ])
      await silent(status, ...args);
  }
  site.write(circuit(site, "  nonsense = var.content\n"));
  await silent(1, "plan");
  site.write(circuit(site));
  const missing = await program.run(
    ["plan", "-var", `content=${secrets.content}`, "-var", `unknown=${secrets.line}`],
    {
      cwd: site.directory,
    },
  );
  expect(missing.status).toBe(1);
  expectNothingOf(missing, "plan with variables");
});

test("what holds sensitive values on purpose is for its owner alone, and has no login secret", async () => {
  await run("plan", "-out=saved", "-plan-json=plan.json");
  await run("apply", "-auto-approve");
  const names = readdirSync(site.directory).filter((name) => !["key", "web.circuit.hcl"].includes(name));
  expect(names).toEqual(expect.arrayContaining(["terraform.tfstate", "saved", "plan.json"]));
  for (const name of names) {
    const path = join(site.directory, name);
    const text = readFileSync(path, "latin1");
    const stored = name.startsWith("terraform.tfstate");
    if (stored) for (const value of Object.values(logins)) expect(text, name).not.toContain(value);
    const holds = Object.values(all).some((value) => text.includes(value));
    // A state has the mode that OpenTofu gives it: the umask's.
    if (holds && !stored) expect([name, statSync(path).mode & 0o077]).toEqual([name, 0]);
  }
  const state = readFileSync(join(site.directory, "terraform.tfstate"), "utf8");
  expect(state).toContain(secrets.content);
  const json = await run("show", "-json");
  for (const value of Object.values(logins)) expect(json.stdout).not.toContain(value);
  await silent(0, "destroy", "-json", "-auto-approve");
});

test("X11: nothing that a killed apply, logs and conn3x run leave behind has a login secret, or is for others", async () => {
  const slow = '  step "slow" {\n    command {\n      run = "sleep 5"\n    }\n  }\n';
  site.write(circuit(site, slow));
  let isKilled = false;
  const killed = await program.run(["apply", "-auto-approve", "-v", "-log=logs"], {
    cwd: site.directory,
    env: environment,
    watch: (stdout) => {
      if (isKilled || !stdout.includes("web__slow")) return undefined;
      isKilled = true;
      return "SIGKILL";
    },
  });
  expect(killed.status).toBe(undefined);
  expectNothingOf(killed, "a killed apply with -v");
  const said = await run("run", "-v", "-log=logs", "--", "true");
  expect(said.status).toBe(0);
  expectNothingOf(said, "run -v");
  // Of an earlier test: as OpenTofu's, they hold what variables were given.
  const before = ["saved", "plan.json"];
  const left = readdirSync(site.directory, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && !["key", "web.circuit.hcl", ...before].includes(entry.name),
  );
  for (const { name, parentPath } of left) {
    const path = join(parentPath, name);
    const text = readFileSync(path, "latin1");
    for (const value of Object.values(logins))
      expect(text.includes(value), `${path} has ${value}`).toBe(false);
    const holds = Object.values(secrets).some((value) => text.includes(value));
    if (parentPath.endsWith("logs")) expect([path, holds]).toEqual([path, false]);
    if (holds && !name.startsWith("terraform.tfstate"))
      expect([path, statSync(path).mode & 0o077]).toEqual([path, 0]);
  }
  expect(left.some(({ parentPath }) => parentPath.endsWith("logs"))).toBe(true);
  site.write(circuit(site));
  await silent(0, "destroy", "-auto-approve");
});
