/**
 * What the program does around another engine: what it leaves alone, what it does when it is interrupted, and that it
 * says so when the engine fails. The engine is a script.
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
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { fakeEngine } from "./fake-engine.ts";
import { bundleProgram, type Program } from "./program.ts";

let program: Program;
beforeAll(async () => {
  program = await bundleProgram();
});
afterAll(() => program?.remove());

/** Of the configuration; the engine, and what the program leaves in its place for temporary files, are beside it. */
let directory: string;
let around: string;
let temporary: string;
beforeEach(() => {
  around = mkdtempSync(join(tmpdir(), "conn3x-other-engine-"));
  [directory, temporary] = [join(around, "site"), join(around, "tmp")];
  mkdirSync(directory);
  mkdirSync(temporary);
});
afterEach(() => rmSync(around, { recursive: true, force: true }));

const circuit = `circuit "web" {
  hosts = { web1 = "192.0.2.1" }
  step "page" {
    file {
      path    = "/srv/page"
      content = "hello"
    }
  }
}
`;
const write = (name: string, text: string): void => writeFileSync(join(directory, name), text);
const calls = (): string => {
  const path = join(around, "calls");
  return existsSync(path) ? readFileSync(path, "utf8") : "";
};
const conn3x = (args: readonly string[], more: Parameters<Program["run"]>[1] = {}) =>
  program.run(args, { cwd: directory, env: { TMPDIR: temporary }, ...more });

describe("force-unlock", () => {
  const unlock = (input: string | undefined, ...more: readonly string[]) => {
    const engine = fakeEngine(around, `force-unlock*) echo "Unlocked it";;`);
    return conn3x(["force-unlock", `-engine=${engine}`, ...more, "an-id"], { input: input ?? "" });
  };

  test("is the engine's, once a person has said yes", async () => {
    for (const input of ["y\n", "YES\n"]) {
      const { status, stdout } = await unlock(input);
      expect([status, calls()]).toEqual([1, ""]);
      expect(stdout).toContain("Only 'yes' will be accepted to approve.");
      expect(stdout).toContain("Force-unlock cancelled.");
    }
    expect(await unlock("yes\n")).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("Unlocked it"),
    });
    expect(calls()).toBe("force-unlock -force an-id\n");
  });

  test("asks nobody with -force, and fails where there is nobody", async () => {
    const { status, stdout } = await unlock(undefined, "-force");
    expect([status, stdout]).toEqual([0, "Unlocked it\n"]);
    const nobody = await unlock(undefined);
    expect([nobody.status, nobody.stderr]).toEqual([
      1,
      expect.stringContaining("Force-unlock needs somebody to approve it"),
    ]);
    expect(nobody.stderr).toContain("-force");
  });

  test("takes no file: the engine looks where the configuration has the state", async () => {
    const { status, stderr } = await unlock(undefined, "-force", "-state=x");
    expect([status, stderr]).toEqual([1, expect.stringContaining("-state is for the embedded engine")]);
    expect(calls()).toBe("");
  });
});

describe("a configuration with errors", () => {
  const address = 'conn3x_file.web__page["web1"]';

  test("keeps no state from being changed, and compiled files stay as they are", async () => {
    const engine = fakeEngine(around, `"state rm"*) echo "Removed $*";;`);
    write("web.circuit.hcl", circuit);
    expect((await conn3x(["compile"])).status).toBe(0);
    const compiled = readFileSync(join(directory, "web.circuit.tf"), "utf8");
    write("web.circuit.hcl", circuit.replace("path  ", "pth   "));
    const { status, stdout } = await conn3x(["state", "rm", `-engine=${engine}`, address]);
    expect([status, stdout]).toEqual([0, expect.stringContaining(address)]);
    expect(readFileSync(join(directory, "web.circuit.tf"), "utf8")).toBe(compiled);
  });

  test("is not prepared for where the engine has to fetch a backend's configuration", async () => {
    const engine = fakeEngine(around, "");
    write("web.circuit.hcl", circuit);
    write("backend.tf", 'terraform {\n  backend "http" {}\n}\n');
    expect((await conn3x(["compile"])).status).toBe(0);
    const compiled = readFileSync(join(directory, "web.circuit.tf"), "utf8");
    write("web.circuit.hcl", circuit.replace("path  ", "pth   "));
    const { status, stderr } = await conn3x(["state", "rm", `-engine=${engine}`, address]);
    expect([status, stderr]).toEqual([1, expect.stringContaining("pth")]);
    expect(readFileSync(join(directory, "web.circuit.tf"), "utf8")).toBe(compiled);
    expect(calls()).toBe("");
  });
});

test("a state that is pushed reaches the engine in a file of its own, which goes with the session", async () => {
  const engine = fakeEngine(around, `"state push"*) for last; do :; done; cat "$last"; stat -c %a "$last";;`);
  write("web.circuit.hcl", circuit);
  const { status, stdout } = await conn3x(["state", "push", "-force", `-engine=${engine}`, "-"], {
    input: '{"version": 4}',
  });
  expect([status, stdout]).toEqual([0, '{"version": 4}600\n']);
  expect(calls()).toMatch(/^state push -force /);
  expect(readdirSync(temporary)).toEqual([]);
});

describe("^C", () => {
  const sleeping = `trap 'echo "got INT" >>"$0.log"; exit 1' INT; echo ready; touch "$0.ready"; while :; do sleep 0.1; done`;
  const cases = (command: string) => `"${command}"*) ${sleeping};;`;

  test.each<[string, string[]]>([
    ["state rm", ["state", "rm", "x.y"]],
    ["state push", ["state", "push", "-"]],
    ["init", ["init"]],
    ["validate", ["validate"]],
    ["import", ["import", 'conn3x_file.web__page["web1"]', "web/web1:/srv/page"]],
  ])("%s asks the engine to stop, and leaves nothing behind", async (command, args) => {
    const engine = fakeEngine(around, cases(command));
    write("web.circuit.hcl", circuit);
    const words = args[0] === "state" ? 2 : 1;
    const running = program.spawn(
      "/bin/sh",
      [
        "-c",
        `"$@" & pid=$!
while [ ! -e '${engine}.ready' ]; do sleep 0.05; done
kill -INT $pid; wait $pid`,
        "sh",
        process.execPath,
        program.file,
        ...args.slice(0, words),
        `-engine=${engine}`,
        ...args.slice(words),
      ],
      { cwd: directory, env: { TMPDIR: temporary }, input: '{"version": 4}' },
    );
    const { status, stdout, stderr } = await running;
    expect([status, stdout + stderr]).toEqual([1, expect.stringContaining("Stopping")]);
    expect(stderr).not.toContain("OpenTofu failed");
    expect(readFileSync(`${engine}.log`, "utf8")).toBe("got INT\n");
    expect(readdirSync(temporary)).toEqual([]);
  });

  const interruptedIn = async (command: string, args: readonly string[]) => {
    const engine = fakeEngine(around, cases(command));
    write("web.circuit.hcl", circuit);
    const waiting = `"$@" & pid=$!
while [ ! -e '${engine}.ready' ]; do sleep 0.05; done
kill -INT $pid; wait $pid`;
    const [first = "", ...more] = args;
    const ours = [process.execPath, program.file, first, `-engine=${engine}`, ...more];
    return program.spawn("/bin/sh", ["-c", waiting, "sh", ...ours], {
      cwd: directory,
      env: { TMPDIR: temporary },
    });
  };

  test.each([
    { args: ["plan"], command: "show -json" },
    { args: ["apply", "-auto-approve"], command: "show -json" },
    { args: ["plan", "-limit=web1"], command: "show -json" },
    { args: ["plan"], command: "plan" },
  ])(
    "$args while the engine does $command: nothing is started any more, and no error is told",
    async ({ args, command }) => {
      const { status, stdout, stderr } = await interruptedIn(command, args);
      expect([status, stdout + stderr]).toEqual([1, expect.stringContaining("Stopping")]);
      expect(stderr).not.toContain("Error");
      expect(calls().trim().split("\n").at(-1)).toMatch(new RegExp(`^${command}`));
      expect(readdirSync(temporary)).toEqual([]);
    },
  );
});

describe("drift", () => {
  test("is an error where the state cannot be read", async () => {
    const engine = fakeEngine(around, `"state pull") echo 'Error: no such bucket' >&2; exit 1;;`);
    write("web.circuit.hcl", circuit);
    const { status, stdout, stderr } = await conn3x(["drift", `-engine=${engine}`]);
    expect(status).toBe(1);
    expect(stderr).toContain("no such bucket");
    expect(stdout).not.toContain("No drift");
  });

  test("is an error where what the engine gives is no state", async () => {
    const engine = fakeEngine(around, `"state pull") echo '{"version": 7}';;`);
    write("web.circuit.hcl", circuit);
    const { status, stderr } = await conn3x(["drift", `-engine=${engine}`]);
    expect([status, stderr]).toEqual([1, expect.stringContaining("newer format")]);
  });

  test("is an error where the file of the state cannot be read", async () => {
    const engine = fakeEngine(around, "");
    write("web.circuit.hcl", circuit);
    mkdirSync(join(directory, "other.tfstate"));
    const { status, stderr } = await conn3x(["drift", `-engine=${engine}`, "-state=other.tfstate"]);
    expect([status, stderr]).toEqual([1, expect.stringContaining("other.tfstate: it is a directory")]);
  });
});

test("an engine that cannot show its plan is an error, not a defect", async () => {
  const engine = fakeEngine(around, `"show -json"*) echo 'Error: out of memory' >&2; exit 1;;`);
  write("web.circuit.hcl", circuit);
  const { status, stderr } = await conn3x(["plan", `-engine=${engine}`]);
  expect([status, stderr]).toEqual([1, expect.stringContaining("OpenTofu cannot show the plan")]);
  expect(stderr).toContain("out of memory");
  expect(stderr).not.toContain("defect");
});

test("arguments for all commands of an engine are not for those that only answer", async () => {
  const engine = fakeEngine(
    around,
    `plan*|show*|"state pull"|validate*) echo "$1 got \${TF_CLI_ARGS_show:-}\${TF_CLI_ARGS:-nothing}" >>'${join(around, "got")}';;`,
  );
  write("web.circuit.hcl", circuit);
  const env = { TMPDIR: temporary, TF_CLI_ARGS: "-input=false", TF_CLI_ARGS_show: "-x" };
  await conn3x(["plan", `-engine=${engine}`], { env });
  await conn3x(["validate", `-engine=${engine}`], { env });
  expect(readFileSync(join(around, "got"), "utf8").split("\n").sort()).toEqual([
    "",
    "plan got -x-input=false",
    "show got nothing",
    "state got nothing",
    "validate got nothing",
  ]);
});

describe("an engine that succeeds and did not do what it was asked to", () => {
  test.each(['{ "resource_changes": [', "", "[1, 2]", '{"format_version": "2.0"}', "noise"])(
    "a plan that is %j is an error",
    async (printed) => {
      const engine = fakeEngine(around, `"show -json"*) echo '${printed}';;`);
      write("web.circuit.hcl", circuit);
      const { status, stdout, stderr } = await conn3x(["plan", `-engine=${engine}`]);
      expect([status, stderr]).toEqual([1, expect.stringContaining("OpenTofu cannot show the plan")]);
      expect(stdout + stderr).not.toMatch(/defect|No changes/);
    },
  );

  test("an import that nobody was asked for is an error", async () => {
    const engine = fakeEngine(around, "");
    write("web.circuit.hcl", circuit);
    const args = [`-engine=${engine}`, 'conn3x_file.web__page["web1"]', "web/web1:/srv/page"];
    const { status, stdout, stderr } = await conn3x(["import", ...args]);
    expect([status, stderr]).toEqual([1, expect.stringContaining("OpenTofu imported nothing")]);
    expect(stdout).not.toContain("successful");
  });

  test("what validates nothing is an error", async () => {
    const engine = fakeEngine(around, "validate*) echo noise;;");
    write("web.circuit.hcl", circuit);
    const { status, stderr } = await conn3x(["validate", `-engine=${engine}`]);
    expect([status, stderr]).toEqual([1, expect.stringContaining("OpenTofu failed")]);
  });
});

test("an engine that is killed while it plans is an error that says so", async () => {
  const engine = fakeEngine(around, `plan*) echo '{"type": "version"}'; kill -9 $$;;`);
  write("web.circuit.hcl", circuit);
  const { status, stderr } = await conn3x(["plan", `-engine=${engine}`]);
  expect([status, stderr]).toEqual([1, expect.stringContaining("plan ended with status 137")]);
});

test("an engine's console has what is typed, and its status is passed on", async () => {
  const engine = fakeEngine(around, "console*) cat; exit 3;;");
  write("web.circuit.hcl", circuit);
  const { status, stdout } = await conn3x(["console", `-engine=${engine}`, "-var=x=1"], { input: "1 + 1\n" });
  expect([status, stdout]).toEqual([1, "1 + 1\n"]);
  expect(calls()).toBe("console -var=x=1\n");
});

test("an engine that may not be started says why", async () => {
  write("web.circuit.hcl", circuit);
  write("engine", "");
  const { status, stderr } = await conn3x(["plan", "-engine=./engine"]);
  expect([status, stderr]).toEqual([1, expect.stringContaining("Engine cannot be started")]);
  expect(stderr).not.toContain("spawnSync");
});

test("validate says what is wrong with values of variables", async () => {
  const engine = fakeEngine(around, `validate*) echo '{"diagnostics": []}';;`);
  write("web.circuit.hcl", circuit);
  const { status, stderr } = await conn3x(["validate", `-engine=${engine}`, "-var-file=none.tfvars"]);
  expect([status, stderr]).toEqual([1, expect.stringContaining("none.tfvars")]);
});
