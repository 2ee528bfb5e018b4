/**
 * A checkout with links to a device, and with pipes, under the names of files that are looked for: nothing is read without an
 * end, and nobody is waited for.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { bundleProgram, type Outcome, type Program } from "./program.ts";

vi.setConfig({ testTimeout: 60_000 });

let program: Program;
let folder: string;
beforeAll(async () => {
  program = await bundleProgram();
  folder = mkdtempSync(join(tmpdir(), "conn3x-special-files-"));
});
afterAll(() => {
  program?.remove();
  rmSync(folder, { recursive: true, force: true });
});

const circuit = (settings = "", content = '"x"') => `circuit "web" {
  hosts = { h = { address = "127.0.0.1", port = 9 } }
  ssh {
    retries = 0
    ${settings}
  }
  step "a" {
    file {
      path    = "/tmp/x"
      ${content.startsWith("source") ? content : `content = ${content}`}
    }
  }
}
`;

function checkout(text = circuit()): string {
  const cwd = mkdtempSync(join(folder, "c-"));
  writeFileSync(join(cwd, "main.circuit.hcl"), text);
  return cwd;
}

/** Exit code 124 is that of `timeout`. */
const run = (args: readonly string[], cwd: string): Promise<Outcome> =>
  program.spawn("timeout", ["20", process.execPath, program.file, ...args], { cwd });

test.each([
  ["conn3x.json", "validate"],
  ["terraform.tfvars", "plan"],
  ["x.auto.tfvars.json", "plan"],
  ["terraform.tfstate", "state", "list"],
  ["terraform.tfstate", "plan"],
  ["x.tf", "validate"],
  ["x.circuit.hcl", "fmt"],
])("%s is a device or a pipe: conn3x %s %s", async (name, ...args) => {
  const [device, pipe] = [checkout(), checkout()];
  symlinkSync("/dev/zero", join(device, name));
  execFileSync("mkfifo", [join(pipe, name)]);
  for (const cwd of [device, pipe]) {
    const { status, stderr } = await run(args, cwd);
    expect([status, stderr]).toEqual([1, expect.stringMatching(/it is no regular file/i)]);
  }
});

test.each([
  ["file()", circuit("", 'file("/dev/zero")')],
  ["source", circuit("", 'source = "/dev/zero"')],
  ["ssh_config_file", circuit('ssh_config_file = "/dev/zero"')],
  ["known_hosts_file", circuit('known_hosts_file = "/dev/zero"')],
  ["private_key_file", circuit('private_key_file = "/dev/zero"')],
])("%s names a device", async (_, text) => {
  const { status, stdout, stderr } = await run(["plan"], checkout(text));
  expect(status).not.toBe(124);
  expect(`${stdout}${stderr}`).toMatch(/no\s+regular\s+file/i);
});

test("the null device holds nothing, and a pipe that is named is read", async () => {
  const cwd = checkout(
    'output "n" {\n  value = file("/dev/null")\n}\nvariable "a" {}\noutput "a" {\n  value = var.a\n}\n',
  );
  const call = `'${process.execPath}' '${program.file}' plan -var-file=<(echo 'a = "given"') -var-file=/dev/null`;
  const { stdout: given } = await program.spawn("bash", ["-c", call], { cwd });
  expect(given).toMatch(/a = "given"/);
});
