/**
 * `conn3x run`, `fmt`, `init` and `completion`.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type DemoHost, startDemoHost } from "../../src/demo/host/demo-host.ts";
import { bundleProgram, type Program } from "./program.ts";
import { openSite, type Site } from "./site.ts";

let program: Program;

beforeAll(async () => {
  program = await bundleProgram();
});

afterAll(() => program?.remove());

describe("run", () => {
  let site: Site;
  const conn3x = (...args: string[]) => program.run(args, { cwd: site.directory });

  beforeAll(async () => {
    site = await openSite();
  });

  afterAll(() => site?.remove());

  test("groups what a command says by host", async () => {
    expect(await conn3x("run", "--", "echo a; echo b >&2")).toEqual({
      status: 0,
      stdout: "web1: done\n  a\n  b\n",
      stderr: "",
    });
    expect(await conn3x("run", "echo", "x", "y")).toMatchObject({ stdout: "web1: done\n  x y\n" });
  });

  test("fails when it fails on a host, or cannot be run", async () => {
    expect(await conn3x("run", "--", "exit 3")).toMatchObject({ status: 1, stdout: "web1: exit status 3\n" });
    site.write(site.circuit.replace(`port = ${site.host.port}`, "port = 1"));
    const { status, stdout, stderr } = await conn3x("run", "--", "true");
    expect([status, stdout]).toEqual([1, "web1: not run\n"]);
    expect(stderr).toContain("Error: Host does not answer");
    site.write(site.circuit);
  });

  test("says it in JSON, once all hosts are done", async () => {
    const json = async (...args: string[]) => {
      const { status, stdout, stderr } = await conn3x("run", "-json", ...args);
      expect(stderr).toBe("");
      return { exit: status, ...JSON.parse(stdout) };
    };
    const host = { circuit: "web", host: "web1" };
    expect(await json("--", "echo é; echo b >&2; exit 3")).toEqual({
      exit: 1,
      format_version: "1.0",
      hosts: [{ ...host, status: 3, stdout: "é\n", stderr: "b\n" }],
      diagnostics: [],
    });
    expect(await json("--", "true")).toMatchObject({ exit: 0, hosts: [{ status: 0 }] });
    const nobody = await json("-limit=db1", "--", "true");
    expect(nobody).toMatchObject({ exit: 1, hosts: [], diagnostics: [{ severity: "error" }] });
    site.write(site.circuit.replace(`port = ${site.host.port}`, "port = 1"));
    const down = await json("--", "true");
    expect(down).toMatchObject({ exit: 1, hosts: [{ ...host, status: null, stdout: "" }] });
    expect(down.diagnostics).toMatchObject([{ summary: "Host does not answer" }]);
    site.write(site.circuit);
  });

  test("chooses hosts", { timeout: 60_000 }, async () => {
    expect(await conn3x("run", "-limit=w*", "--", "true")).toMatchObject({ status: 0, stderr: "" });
    expect((await conn3x("run", "-limit=db?", "--", "true")).stderr).toContain(
      "No host fits. There are: web1.",
    );
    const some = await conn3x("run", "-limit=web1, {web1,web2}", "--", "true");
    expect(some).toMatchObject({ status: 1, stdout: "" });
    expect(some.stderr.replace(/\s+/g, " ")).toContain("There is no host {web1");
    expect(some.stderr.replace(/\s+/g, " ")).toContain("* stands for any characters");
    expect(await conn3x("run", "-limit=web[12]", "--", "true")).toMatchObject({ status: 0 });
    expect((await conn3x("run", "-limit=!web1", "--", "true")).stderr).toContain("No host fits");
    expect((await conn3x("run", "-limit=", "--", "true")).stderr).toContain("Option -limit cannot have this");
    expect((await conn3x("run", "-circuit=wbe", "--", "true")).stderr).toContain('Did you mean "web"?');
  });
});

describe("run logs in as apply does", () => {
  let host: DemoHost;
  let directory: string;

  beforeAll(async () => {
    host = await startDemoHost({ password: "S3CRET" });
    directory = mkdtempSync(join(tmpdir(), "conn3x-cli-run-"));
    mkdirSync(join(directory, "site"));
    return async () => {
      await host.close();
      rmSync(directory, { recursive: true });
    };
  });

  const secret = "password = var.password";
  const at = () => `address = "${host.address}", port = ${host.port}`;
  const written = (more: { of?: string; hosts?: string; host?: string; step?: string; provider?: string }) =>
    `variable "password" {
  default   = "S3CRET"
  sensitive = true
}
provider "conn3x" {
  ssh {
    ${more.provider ?? ""}
  }
}
variable "hosts" {
  default = { web1 = { ${at()} } }
}
circuit "web" {
  hosts = ${more.hosts ?? `{ web1 = { ${at()}${more.host ?? ""} } }`}
  ssh {
    user     = "${host.user}"
    host_key = "${host.hostKey}"
    agent    = false
    ${more.of ?? ""}
  }
  step "note" {
    command {
      run = "true"
    }
    ssh {
      ${more.step ?? ""}
    }
  }
}
`;

  test.each([
    ["the circuit", () => written({ of: secret })],
    ["the circuit, for hosts in a variable", () => written({ hosts: "var.hosts", of: secret })],
    [
      "the circuit, by host",
      () => written({ of: "password = lookup({ web1 = var.password }, host.name, null)" }),
    ],
    ["the host", () => written({ host: `, ${secret}` })],
    ["the step", () => written({ step: secret })],
    ["the provider", () => written({ provider: secret })],
    ["the provider, for hosts in a variable", () => written({ hosts: "var.hosts", provider: secret })],
  ])("with a secret of %s", async (_, text) => {
    writeFileSync(join(directory, "web.circuit.hcl"), text());
    expect(await program.run(["run", "--", "echo here"], { cwd: directory })).toEqual({
      status: 0,
      stdout: "web1: done\n  here\n",
      stderr: "",
    });
  });

  test("with a secret of a circuit in a module", async () => {
    writeFileSync(
      join(directory, "site/web.circuit.hcl"),
      written({ of: secret }).replace(/provider[^}]*}\n}/, ""),
    );
    writeFileSync(join(directory, "web.circuit.hcl"), 'module "site" {\n  source = "./site"\n}\n');
    const { status, stdout } = await program.run(["run", "--", "echo here"], { cwd: directory });
    expect([status, stdout.slice(-19)]).toEqual([0, "\nweb1: done\n  here\n"]);
  });

  test("a host of which it is not known yet how it is reached is its own trouble", async () => {
    const text = written({ of: secret })
      .replace(`hosts = { web1 = { ${at()}`, `hosts = { new1 = conn3x_command.made.stdout, web1 = { ${at()}`)
      .concat(
        `resource "conn3x_command" "made" {\n  run = "echo 192.0.2.1"\n  ssh {\n    address = "192.0.2.2"\n  }\n}\n`,
      );
    writeFileSync(join(directory, "web.circuit.hcl"), text);
    const { status, stdout, stderr } = await program.run(["run", "--", "echo here"], { cwd: directory });
    expect([status, stdout], stderr).toEqual([1, "new1: not run\nweb1: done\n  here\n"]);
    expect(stderr.replace(/\s+/g, " ")).toContain("how new1 is reached is not known yet");
    const rest = await program.run(["run", "-limit=web1", "--", "true"], { cwd: directory });
    expect(rest).toEqual({ status: 0, stdout: "web1: done\n", stderr: "" });
  });
});

describe("on a directory", () => {
  let directory: string;
  const conn3x = (args: string[], input?: string) =>
    program.run(args, { cwd: directory, ...(input === undefined ? {} : { input }) });
  const read = (name: string) => readFileSync(join(directory, name), "utf8");
  const write = (name: string, text: string) => writeFileSync(join(directory, name), text);

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "conn3x-cli-"));
    return () => rmSync(directory, { recursive: true });
  });

  test("fmt refuses what is no text", async () => {
    const path = join(directory, "bytes.circuit.hcl");
    writeFileSync(path, Buffer.from([0x23, 0xff, 0xfe, 0x0a]));
    const { status, stderr } = await conn3x(["fmt", "-check"]);
    rmSync(path);
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringContaining("it is not text in UTF-8"),
    });
  });

  test("fmt rewrites, lists, checks and shows", async () => {
    writeFileSync(join(directory, "a.circuit.hcl"), "locals {\na=1\n}\n");
    writeFileSync(join(directory, "b.tf"), "locals {\n  b = 1\n}\n");
    mkdirSync(join(directory, "sub"));
    writeFileSync(join(directory, "sub/c.tfvars"), "c   = 1\n");
    expect(await conn3x(["fmt", "-check"])).toEqual({ status: 3, stdout: "a.circuit.hcl\n", stderr: "" });
    const diff = await conn3x(["fmt", "-check", "-diff", "-list=false"]);
    expect(diff.stdout).toBe(
      "--- old/a.circuit.hcl\n+++ new/a.circuit.hcl\n@@ -1,3 +1,3 @@\n locals {\n-a=1\n+  a = 1\n }\n",
    );
    expect(read("a.circuit.hcl")).toBe("locals {\na=1\n}\n");
    expect(await conn3x(["fmt", "-recursive"])).toMatchObject({ stdout: "a.circuit.hcl\nsub/c.tfvars\n" });
    expect(read("a.circuit.hcl")).toBe("locals {\n  a = 1\n}\n");
    expect(await conn3x(["fmt", "-check", "-recursive"])).toMatchObject({ status: 0, stdout: "" });
    expect(await conn3x(["fmt", "-"], "a=1\n")).toMatchObject({ status: 0, stdout: "a = 1\n" });
    const wrong = await conn3x(["fmt", "-"], "a =\n");
    expect([wrong.status, wrong.stdout, wrong.stderr.includes("on <stdin> line 1")]).toEqual([1, "", true]);
    expect((await conn3x(["fmt", "nowhere"])).stderr).toContain(
      "nowhere: there is no such file or directory.",
    );
  });

  test("where there is no configuration, one to begin with is offered", async () => {
    for (const command of ["init", "plan"]) {
      const { status, stderr } = await conn3x([command]);
      expect({ status, stderr }).toEqual({
        status: 1,
        stderr: expect.stringContaining("conn3x init -example"),
      });
    }
  });

  test("where no host can be found out, that is all that is wrong", async () => {
    const { status, stderr } = await conn3x(["run", "--", "true"]);
    expect([status, stderr.match(/^Error: .*$/gm)]).toEqual([1, ["Error: No configuration here"]]);
  });

  test("what a command lacks is named", async () => {
    expect((await conn3x(["completion"])).stderr).toContain("Error: SHELL is missing\n");
    expect((await conn3x(["import", "conn3x_file.a"])).stderr).toContain("Error: ID is missing\n");
  });

  test.each([["init"], ["state", "list"], ["show"], ["output"], ["force-unlock", "-force", "x"], ["plan"]])(
    "a backend that only other engines have is no file beside the configuration: %s",
    async (...args) => {
      write("main.tf", `terraform {\n  backend "s3" {\n    bucket = "b"\n  }\n}\n`);
      const { status, stdout, stderr } = await conn3x(args);
      expect([status, stdout, stderr.match(/^Error: .*$/gm)]).toEqual([
        1,
        "",
        ["Error: Not for the embedded engine"],
      ]);
      expect(stderr.replace(/\s+/g, " ")).toContain("Use -engine=tofu");
    },
  );

  test("a state in a file is looked at whatever the configuration says", async () => {
    write("main.tf", `terraform {\n  backend "s3" {}\n}\n`);
    expect(await conn3x(["state", "list", "-state=x.tfstate"])).toMatchObject({ status: 0, stderr: "" });
  });

  test("init -example writes a configuration that is valid and formatted", async () => {
    const { status, stdout } = await conn3x(["init", "-example"]);
    expect([status, stdout.includes("Conn3x is ready. Circuits: web; 3 resources.")]).toEqual([0, true]);
    expect(await conn3x(["fmt", "-check"])).toMatchObject({ status: 0 });
    expect(await conn3x(["validate"])).toMatchObject({ status: 0, stderr: "" });
    expect(await conn3x(["init", "-example"])).toMatchObject({ status: 1 });
    expect(await conn3x(["init"])).toMatchObject({ status: 0 });
  });

  test("completion knows commands, options and groups", async () => {
    const { stdout: script } = await conn3x(["completion", "bash"]);
    const complete = (...words: string[]) =>
      spawnSync(
        "bash",
        [
          "-c",
          `${script}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _conn3x; echo "\${COMPREPLY[@]}"`,
          "-",
          ...words,
        ],
        { encoding: "utf8" },
      ).stdout.trim();
    expect(complete("conn3x", "dr")).toBe("drift");
    expect(complete("conn3x", "plan", "-detailed")).toBe("-detailed-exitcode");
    expect(complete("conn3x", "state", "p")).toBe("pull push");
    expect(complete("conn3x", "-chdir=x", "state", "mv", "-dry")).toBe("-dry-run");
    expect((await conn3x(["completion", "fish"])).stdout).toContain("-a drift -d ");
    expect((await conn3x(["completion", "zsh"])).stdout).toMatch(/^#compdef conn3x\n/);
    expect(await conn3x(["completion", "tcsh"])).toMatchObject({ status: 1 });
  });
});
