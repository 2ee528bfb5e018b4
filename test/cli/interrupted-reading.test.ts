/**
 * ^C while hosts are read: a host that does not answer keeps nobody waiting for its time limit.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { bundleProgram, type Program } from "./program.ts";

let program: Program;
let silent: Server;
let directory: string;
/** Called when somebody connects to the host that says nothing. */
let connected = (): void => {};

beforeAll(async () => {
  program = await bundleProgram();
  silent = createServer((socket) => {
    socket.on("error", () => {}).resume();
    connected();
  });
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
});

afterAll(async () => {
  program?.remove();
  await new Promise((resolve) => silent.close(resolve));
});

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "conn3x-interrupted-"));
  writeFileSync(
    join(directory, "main.circuit.hcl"),
    `circuit "web" {
  hosts = { web1 = { address = "127.0.0.1", port = ${(silent.address() as AddressInfo).port} } }
  ssh {
    user            = "nobody"
    password        = "x"
    agent           = false
    connect_timeout = 600
  }
  step "config" {
    file {
      path    = "/etc/web.conf"
      content = "x"
    }
  }
}
`,
  );
  return () => rmSync(directory, { recursive: true });
});

test.each([["plan"], ["apply", "-auto-approve"]])(
  "%s ends at once, with nothing done and nothing left",
  async (...args) => {
    const child = spawn(process.execPath, [program.file, ...args], { cwd: directory });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
    connected = () => child.kill("SIGINT");
    const status = await new Promise((resolve) => child.on("close", resolve));
    expect([status, output]).toEqual([1, "\nStopping. Nothing was changed.\n"]);
    expect(readdirSync(directory)).toEqual(["main.circuit.hcl"]);
  },
  30_000,
);
