/**
 * X11: secrets in every place that can hold one, and everything that any command prints searched for them. What holds
 * sensitive values on purpose, as OpenTofu's does (state, saved plan, `-plan-json`, `show -json`, `output -json`), is
 * named here; login secrets are not even there.
 */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { all, circuit, environment, expectNothingOf, found, logins, secrets } from "./planted-secrets.ts";
import { bundleProgram, type Outcome, type Program } from "./program.ts";
import { openSite, type Site } from "./site.ts";

/** A dozen commands each. */
vi.setConfig({ testTimeout: 90_000 });

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

const run = (...args: string[]) => program.run(args, { cwd: site.directory, env: environment });

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
    if (holds || stored) expect([name, statSync(path).mode & 0o077]).toEqual([name, 0]);
  }
  const state = readFileSync(join(site.directory, "terraform.tfstate"), "utf8");
  expect(state).toContain(secrets.content);
  const json = await run("show", "-json");
  for (const value of Object.values(logins)) expect(json.stdout).not.toContain(value);
  await silent(0, "destroy", "-json", "-auto-approve");
});

const hasScript = spawnSync("script", ["--version"]).status === 0;

test.runIf(hasScript)(
  "X11: what is drawn on a terminal while something runs has none, also where it fails",
  async () => {
    const step = (name: string, run: string) =>
      `  step "${name}" {\n    command {\n      run = "${run}"\n    }\n  }\n`;
    site.write(
      circuit(
        site,
        step("slow", "sleep 1; : ${var.command}") + step("fails", "echo ${var.stdin} >&2; exit 3"),
      ),
    );
    const seen = await program.spawn(
      "script",
      ["-qefc", `stty cols 150; ${process.execPath} ${program.file} apply -auto-approve`, "/dev/null"],
      { cwd: site.directory, env: { ...environment, TERM: "xterm" } },
    );
    expect(seen.status, seen.stdout).toBe(1);
    expect(seen.stdout).toMatch(/web1: step slow/);
    expect(seen.stdout).toContain("not shown");
    expectNothingOf(seen, "a terminal");
    site.write(circuit(site));
    await silent(0, "destroy", "-auto-approve");
  },
);

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
