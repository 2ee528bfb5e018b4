/**
 * Programs print what they were handed, and engines print what a provider reports as it is, in their own log as well: no
 * secret that the provider knows is in that, whichever program, and whichever object, it was given to.
 */
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { bundleProvider } from "../../provider/testing/bundle.ts";
import { type DemoHost, startDemoHost } from "../../src/demo/host/demo-host.ts";
import { findEngines, titled } from "./engine.ts";
import { openWorkspace, type Workspace } from "./workspace.ts";

// An engine starts several processes for each of its commands.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

let provider: { directory: string; program: string };
let host: DemoHost;
let workspace: Workspace | undefined;
beforeAll(async () => {
  provider = await bundleProvider("provider/main.ts");
});
afterAll(() => rmSync(provider.directory, { recursive: true, force: true }));
beforeEach(async () => {
  host = await startDemoHost({ units: ["web.service"] });
});
afterEach(async () => {
  workspace?.remove();
  await host.close();
});

const content = "content-HUSH-4711";
const password = "password-HUSH-4712";
const variable = "variable-HUSH-4713";
const input = "input-HUSH-4714";

/** Each resource makes a program print secrets: its own, and one that another resource was handed. */
function main(): string {
  const ssh = (more = "") => `ssh {
    address          = "${host.address}"
    port             = ${host.port}
    user             = "${host.user}"
    private_key_file = "\${path.module}/key"
    host_key         = "${host.hostKey}"
    agent            = false
    ${more}
  }`;
  return `
terraform {
  required_providers {
    conn3x = { source = "registry.opentofu.org/conn3x/conn3x" }
  }
}
resource "conn3x_file" "other" {
  path    = "${host.root}/notes"
  content = "open"
  # A file that is there has the other's secret in it.
  validate = "cat ${host.root}/spilled %s >&2; exit 4"
  ${ssh()}
}
resource "conn3x_file" "own" {
  path           = "${host.root}/own"
  secret_content = "${content}"
  validate       = "cat %s >&2; exit 4"
  ${ssh()}
}
resource "conn3x_command" "own" {
  run                = "cat; echo \\"$VARIABLE\\" >&2; exit 5"
  stdin              = "${input}"
  secret_environment = { VARIABLE = "${variable}" }
  ${ssh()}
}
resource "conn3x_command" "other" {
  run = "cat ${host.root}/spilled; exit 6"
  ${ssh()}
}
resource "conn3x_wait_for" "other" {
  command  = "cat ${host.root}/spilled; exit 7"
  timeout  = 1
  interval = 1
  ${ssh()}
}
resource "conn3x_command" "proxy" {
  run = "true"
  ssh {
    address       = "192.0.2.1"
    password      = "${password}"
    transport     = "openssh"
    agent         = false
    proxy_command = "cat ${host.root}/spilled >&2; echo proxy-says-so >&2; exit 8"
  }
}
`;
}

describe.each(titled(findEngines()))("%s", (_, engine) => {
  test("what programs print has no secret, in an engine's output and log", async () => {
    writeFileSync(join(host.root, "spilled"), `${content}\n${password} ${variable} ${input}\n`);
    const files = { "main.tf": main(), key: host.privateKey };
    workspace = openWorkspace({
      engine,
      files,
      provider,
      environment: { TF_LOG: "trace", TF_LOG_PATH: "engine.log" },
    });
    chmodSync(join(workspace.directory, "key"), 0o600);
    const { status, stdout, stderr } = await workspace.apply();
    const shown = stdout + stderr;
    expect(status, shown).toBe(1);
    // Each of them did print, and failed for that.
    for (const part of ["status 5", "status 6", "did not pass", "proxy-says-so"])
      expect(shown).toContain(part);
    const log = readFileSync(join(workspace.directory, "engine.log"), "utf8");
    expect(log).toContain("conn3x");
    const state = join(workspace.directory, "terraform.tfstate");
    for (const secret of [content, password, variable, input]) {
      expect(shown).not.toContain(secret);
      const lines = log.split("\n").filter((line) => line.includes(secret));
      expect(lines).toEqual([]);
    }
    if (existsSync(state)) expect(readFileSync(state, "utf8")).not.toContain(content);
  });
});
