/**
 * The program with two hosts, one of which is hostile: the run goes on for the other, ends as it should, and leaves
 * nothing behind.
 */
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type DemoHost, startDemoHost } from "../../../src/demo/host/demo-host.ts";
import { bundleProgram, type Program } from "../../cli/program.ts";
import { errorsAfterEnd, errorsAfterEndAtOnce } from "./data-after-end.ts";
import { dripsBeforeShell } from "./dripping.ts";
import { endlessErrors, endlessOutput } from "./endless-answer.ts";
import { endlessIgnored } from "./endless-packets.ts";
import { type Attacker, type HostileServer, startHostileServer } from "./hostile-server.ts";
import { packetsOfNothing } from "./small-packets.ts";

let program: Program;
let healthy: DemoHost;
beforeAll(async () => {
  [program, healthy] = await Promise.all([bundleProgram(), startDemoHost()]);
});
afterAll(async () => {
  program?.remove();
  await healthy?.close();
});

const circuit = ({ login }: HostileServer, path: string): string => `
circuit "web" {
  hosts = {
    hostile = { address = "127.0.0.1", port = ${login.port}, host_key = "${login.hostKey}" }
    healthy = { address = "127.0.0.1", port = ${healthy.port}, host_key = "${healthy.hostKey}" }
  }
  ssh {
    user             = "${healthy.user}"
    private_key_file = "key"
    agent            = false
    ssh_config_file  = "none"
    connect_timeout  = 2
  }
  step "page" {
    file {
      path    = "${path}"
      content = "hello"
    }
  }
}
`;

test.each<Attacker>([
  errorsAfterEnd,
  errorsAfterEndAtOnce,
  endlessOutput,
  endlessErrors,
  endlessIgnored,
  packetsOfNothing,
  dripsBeforeShell,
])("a server that $does", async (attacker) => {
  const hostile = await startHostileServer(attacker);
  const directory = mkdtempSync(join(tmpdir(), "conn3x-hostile-"));
  const path = join(healthy.root, `page-${hostile.login.port}`);
  try {
    writeFileSync(join(directory, "key"), healthy.privateKey, { mode: 0o600 });
    writeFileSync(join(directory, "web.circuit.hcl"), circuit(hostile, path));
    const began = performance.now();
    const { status, stdout, stderr } = await program.run(["apply", "-auto-approve"], { cwd: directory });
    expect([status, stderr]).toEqual([1, expect.stringContaining("hostile")]);
    expect(stdout + stderr).not.toMatch(/defect|healthy.*rror/);
    expect(existsSync(path)).toBe(true);
    expect(performance.now() - began).toBeLessThan(15_000);
    const left = readdirSync(directory, { recursive: true, encoding: "utf8" });
    expect(left.filter((name) => /lock|journal|errored/.test(name))).toEqual([]);
  } finally {
    rmSync(directory, { recursive: true, force: true });
    await hostile.close();
  }
});
