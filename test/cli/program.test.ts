/**
 * What the program prints and how it ends, where no host is needed.
 */
import { appendFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { bundleProgram, type Program } from "./program.ts";

let program: Program;
let directory: string;
const made: string[] = [];

beforeAll(async () => {
  program = await bundleProgram();
});

afterAll(() => {
  program?.remove();
  for (const path of made) rmSync(path, { recursive: true, force: true });
});

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "conn3x-cli-"));
  made.push(directory);
});

const conn3x = (...args: string[]) => program.run(args, { cwd: directory });

const good = `circuit "web" {
  hosts = { web1 = "192.0.2.1" }
  step "site" {
    directory {
      path = "/srv/site"
    }
  }
}
`;

describe("version", () => {
  test.each([["version"], ["-version"], ["--version"]])("%s", async (word) => {
    const { status, stdout } = await conn3x(word);
    expect(stdout).toMatch(/^Conn3x v1\.2\.3\non \w+_\w+\n$/);
    expect(status).toBe(0);
  });

  test("as JSON", async () => {
    const { stdout } = await conn3x("version", "-json");
    expect(JSON.parse(stdout)).toMatchObject({ conn3x_version: "1.2.3", platform: expect.any(String) });
  });
});

describe("help", () => {
  test("is on standard output when asked for, else an error", async () => {
    const asked = await conn3x("help");
    expect([asked.status, asked.stderr]).toEqual([0, ""]);
    expect(asked.stdout).toContain("Usage: conn3x");
    const bare = await conn3x();
    expect([bare.status, bare.stdout]).toEqual([1, ""]);
    expect(bare.stderr).toContain("Usage: conn3x");
  });
});

describe("a wrong command line", () => {
  test.each<[string[], string]>([
    [["aply"], 'Unknown command "aply"\n\nDid you mean "apply"?'],
    [["plan", "-refesh=false"], 'Unknown option -refesh\n\nDid you mean "-refresh"?'],
    [["plan", "-exclude=x"], "This version has no -exclude\n"],
    [["taint"], 'Unknown command "taint"'],
    [["plan", "-parallelism=0"], "must be a whole number of at least 1"],
    [["-chdir=/nowhere/at/all", "validate"], "No such directory"],
  ])("%j", async (args, text) => {
    const { status, stdout, stderr } = await conn3x(...args);
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(`Error: ${text}`.replace(/^Error: must/, "must"));
  });
});

describe("validate", () => {
  test("accepts a good configuration", async () => {
    writeFileSync(join(directory, "web.circuit.hcl"), good);
    expect(await conn3x("validate")).toEqual({
      status: 0,
      stdout: "Success! The configuration is valid.\n",
      stderr: "",
    });
  });

  test("shows what is wrong, and where", async () => {
    writeFileSync(join(directory, "web.circuit.hcl"), good.replace("directory {", "directry {"));
    const { status, stdout, stderr } = await conn3x("validate");
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(
      '  on web.circuit.hcl line 4, in circuit "web", step "site":\n    4:     directry {\n',
    );
    expect(stderr).toContain("^^^^^^^^");
    expect(stderr).toContain('"directory"');
  });

  test("as JSON", async () => {
    writeFileSync(join(directory, "web.circuit.hcl"), good.replace("directory {", "directry {"));
    const { status, stdout, stderr } = await conn3x("validate", "-json");
    expect([status, stderr]).toEqual([1, ""]);
    const json = JSON.parse(stdout);
    expect(json).toMatchObject({ format_version: "1.0", valid: false, error_count: 1 });
    expect(json.diagnostics[0].range).toMatchObject({
      filename: "web.circuit.hcl",
      start: { line: 4, column: 5 },
    });
  });

  test("looks at values, with what is not given unknown", async () => {
    const text = good
      .replace('hosts = { web1 = "192.0.2.1" }', "hosts = var.hosts")
      .replace('path = "/srv/site"', 'path = "srv/${var.name}"');
    const variables = 'variable "hosts" {}\nvariable "name" {\n  default = "site"\n}\n';
    writeFileSync(join(directory, "web.circuit.hcl"), `${variables}${text}`);
    const { status, stderr } = await conn3x("validate");
    expect(status).toBe(1);
    expect(stderr).toContain('path must be an absolute path, and "srv/site" does not start with "/".');
    expect(stderr.match(/^Error: /gm)).toHaveLength(1);
    const given = await conn3x("validate", "-var", "hosts={ a = 1 }", "-var", "nmae=x");
    expect(given.stderr).toContain('Did you mean "name"?');
  });

  test("in another directory", async () => {
    writeFileSync(join(directory, "web.circuit.hcl"), good);
    const { status } = await program.run([`-chdir=${directory}`, "validate"], { cwd: tmpdir() });
    expect(status).toBe(0);
  });
});

describe("compile", () => {
  test("writes, then has nothing to write; -check tells", async () => {
    writeFileSync(join(directory, "web.circuit.hcl"), good);
    expect(await conn3x("compile", "-check")).toMatchObject({ status: 1 });
    expect(readdirSync(directory)).toEqual(["web.circuit.hcl"]);
    const written = await conn3x("compile");
    expect(written).toMatchObject({ status: 0, stderr: "" });
    expect(written.stdout).toContain("Wrote web.circuit.tf\n");
    expect(await conn3x("compile", "-check")).toMatchObject({
      status: 0,
      stdout: "The compiled files are up to date.\n",
    });
    expect(readdirSync(directory).sort()).toEqual([
      "conn3x_override.tf",
      "web.circuit.hcl",
      "web.circuit.tf",
    ]);
  });
});

describe("compiled files that are left over", () => {
  const compiled = async () => {
    writeFileSync(join(directory, "web.circuit.hcl"), good);
    await conn3x("compile");
  };

  test("are removed with the last circuit, and no configuration for anything else", async () => {
    expect((await conn3x("validate")).stderr).toContain("There is no file in this directory that ends in");
    await compiled();
    rmSync(join(directory, "web.circuit.hcl"));
    const { status, stderr } = await conn3x("plan");
    expect(status).toBe(1);
    expect(stderr).toContain("\nconn3x_override.tf, web.circuit.tf. Bring");
    expect(await conn3x("compile")).toMatchObject({ status: 0, stderr: "" });
    expect(readdirSync(directory)).toEqual([]);
    expect(await conn3x("compile")).toMatchObject({ stdout: "There is no circuit to compile.\n" });
  });

  test("are reported once when they were changed by hand", async () => {
    await compiled();
    appendFileSync(join(directory, "web.circuit.tf"), "# mine\n");
    const { status, stdout, stderr } = await conn3x("compile");
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr.match(/changed by hand/g)).toHaveLength(1);
    expect((await conn3x("validate")).stdout).toContain(
      "Warning: web.circuit.tf was changed by hand\n\nIt is",
    );
  });
});

test("compile says when the directory of the outputs cannot be made", async () => {
  writeFileSync(join(directory, "web.circuit.hcl"), good);
  const { status, stderr } = await conn3x("compile", "-out=web.circuit.hcl/x");
  expect(status).toBe(1);
  expect(stderr).toContain("Error: Directory cannot be made");
});

describe("files that cannot be read or written", () => {
  test.each<[string[], string]>([
    [["plan", "-var-file=no"], "Cannot read no There is no such file or directory."],
    [
      ["plan", "-state=nowhere/x"],
      "nowhere/.x.lock.info cannot be made: there is no such file or directory.",
    ],
    [["state", "list", "-state=."], ".: it is a directory."],
  ])("%j", async (args, text) => {
    writeFileSync(join(directory, "web.circuit.hcl"), good);
    const { status, stderr } = await conn3x(...args);
    expect([status, stderr.replace(/\s+/g, " ").includes(text)], stderr).toEqual([1, true]);
  });
});

describe("apply", () => {
  test("refuses without anybody to ask", async () => {
    writeFileSync(join(directory, "web.circuit.hcl"), good);
    const { status, stderr } = await conn3x("apply");
    expect(status).toBe(1);
    expect(stderr).toContain("-auto-approve");
    expect(readdirSync(directory)).toEqual(["web.circuit.hcl"]);
  });
});

describe("show", () => {
  test("says that there is no state, and refuses a damaged one", async () => {
    expect(await conn3x("show")).toMatchObject({
      status: 0,
      stdout: "The state is empty: nothing is managed yet.\n",
    });
    writeFileSync(join(directory, "terraform.tfstate"), "{");
    expect(await conn3x("show")).toMatchObject({ status: 1, stdout: "" });
    expect((await conn3x("show", "-state=.")).stderr).toContain("Error: State cannot be read");
  });
});
