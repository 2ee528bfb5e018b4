/**
 * A checkout of somebody else's: everything in a configuration that can start a program on this machine is in it. Commands
 * that need no host start nothing, whatever it says, and with `-no-exec` no command does.
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { bundleProgram, type Outcome, type Program } from "./program.ts";

vi.setConfig({ testTimeout: 60_000 });

let program: Program;
let folder: string;
beforeAll(async () => {
  program = await bundleProgram();
  folder = mkdtempSync(join(tmpdir(), "conn3x-no-exec-"));
  for (const name of ["checkout", "checkout/module", "bin", "traps"]) mkdirSync(join(folder, name));
  for (const [name, text] of Object.entries(files()))
    writeFileSync(join(folder, name), text, { mode: 0o755 });
});
afterAll(() => {
  program?.remove();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => rmSync(started(), { force: true }));

const started = () => join(folder, "started");
const trap = (name: string) => `touch ${join(folder, "traps", name)}`;

/** Written by every start of a program and every connection of the process that it is loaded into. */
const recorder = () => `
const { appendFileSync } = require("node:fs");
const { ChildProcess, spawnSync } = require("node:child_process");
const note = (what) => appendFileSync(${JSON.stringify(started())}, what + "\\n");
const { spawn } = ChildProcess.prototype;
ChildProcess.prototype.spawn = function (options) { note("program " + options.file); return spawn.call(this, options); };
require("node:child_process").spawnSync = (...args) => { note("program " + args[0]); return spawnSync(...args); };
const { connect } = require("node:net").Socket.prototype;
require("node:net").Socket.prototype.connect = function (...args) { note("connection"); return connect.apply(this, args); };
`;

/** By name: hosts whose login starts a program. */
const logins = {
  proxy: () => `proxy_command = "${trap("proxy")}; cat"`,
  file: () => 'ssh_config_file = "ssh_config"',
  local: () => 'transport = "local"',
  openssh: () => 'transport = "openssh", ssh_config_file = "ssh_config"',
  bastion: () => 'bastion = [{ address = "192.0.2.1" }], ssh_config_file = "ssh_config"',
};

const files = () => ({
  "recorder.cjs": recorder(),
  // On the PATH of the program, as a checkout's own tools may be.
  "bin/tofu": `#!/bin/sh\n${trap("tofu")}\n`,
  "bin/terraform": `#!/bin/sh\n${trap("terraform")}\n`,
  "bin/ssh": `#!/bin/sh\n${trap("ssh")}\n`,
  "checkout/ssh_config": `Match exec "${trap("match")}"\n  Port 22\nHost *\n  ProxyCommand ${trap("config")}\n  KnownHostsCommand /bin/sh -c "${trap("known")}"\n  LocalCommand ${trap("command")}\n  PermitLocalCommand yes\n`,
  "checkout/main.circuit.hcl": `circuit "web" {
  hosts = {
${Object.entries(logins)
  .map(([name, login]) => `    ${name} = { address = "192.0.2.9", user = "u", ${login()} }\n`)
  .join("")}  }
  step "command" {
    command {
      run    = "${trap("run")}"
      unless = "${trap("unless")}; false"
    }
  }
  step "wait" {
    wait_for {
      command = "${trap("wait")}"
    }
  }
  step "file" {
    file {
      path     = "${join(folder, "traps", "file")}"
      content  = "x"
      validate = "${trap("validate")}; true %s"
    }
  }
}
provider "conn3x" {
  ssh {
    connect_timeout = 2
  }
}
module "more" {
  source = "./module"
}
`,
  "checkout/module/more.circuit.hcl": `circuit "more" {
  hosts = { h = { address = "192.0.2.9", proxy_command = "${trap("module")}" } }
  step "a" {
    file {
      path    = "/a"
      content = "x"
    }
  }
}
`,
  "checkout/state.tfstate": "{}",
});

const run = (...args: string[]): Promise<Outcome> =>
  program.run(args, {
    cwd: join(folder, "checkout"),
    env: {
      PATH: `${join(folder, "bin")}:${process.env.PATH}`,
      NODE_OPTIONS: `--require ${join(folder, "recorder.cjs")}`,
      HOME: folder,
    },
    input: 'file("ssh_config")\n',
  });

const traps = () => readdirSync(join(folder, "traps"));
const recorded = () => (existsSync(started()) ? readFileSync(started(), "utf8").trim().split("\n") : []);

describe("starts nothing and connects to nothing", () => {
  test.each([
    ["validate"],
    ["validate", "-json"],
    ["fmt"],
    ["fmt", "-check", "-diff", "-recursive"],
    ["compile"],
    ["compile", "-format=json"],
    ["graph"],
    ["init"],
    ["console"],
    ["show"],
    ["output"],
    ["state", "list"],
    ["version"],
  ])("conn3x %s %s %s %s", async (...args) => {
    const { status, stderr } = await run(...args);
    // It did its work.
    expect([status, stderr]).toEqual([
      args[0] === "fmt" && args.length > 1 ? expect.anything() : 0,
      expect.any(String),
    ]);
    expect([recorded(), traps()]).toEqual([[], []]);
  });
});

describe("with -no-exec", () => {
  test("every host whose login starts a program is an error that says so", async () => {
    const { status, stderr } = await run("plan", "-no-exec");
    expect(status).toBe(1);
    for (const what of ["its proxy command", 'transport "local"', 'transport "openssh"'])
      expect(stderr.replace(/\s+/g, " ")).toContain(`${what} would start a program on this machine`);
    for (const host of Object.keys(logins)) expect(stderr).toContain(host);
    expect([recorded().filter((one) => one !== "connection"), traps()]).toEqual([[], []]);
  });

  test.each([
    ["apply", "-auto-approve"],
    ["drift"],
    ["refresh"],
    ["destroy", "-auto-approve"],
    ["run", "--", "true"],
    ["import", 'conn3x_file.web__file["local"]', "web/local:/etc/hostname"],
  ])("conn3x %s starts nothing", async (command, ...rest) => {
    await run(command, "-no-exec", ...rest);
    expect([recorded().filter((one) => one !== "connection"), traps()]).toEqual([[], []]);
  });

  test("no engine is started either", async () => {
    const { status, stderr } = await run("plan", "-no-exec", "-engine=tofu");
    expect([status, recorded(), traps()]).toEqual([1, [], []]);
    expect(stderr).toContain("-no-exec and -engine exclude each other");
  });
});

test("without it the same checkout does start what it says", async () => {
  await run("plan");
  expect(recorded().filter((one) => one.startsWith("program")).length).toBeGreaterThan(2);
  expect(traps()).toEqual(expect.arrayContaining(["proxy", "config", "ssh", "module"]));
});
