/**
 * A kind in a package of its own, as somebody else writes it: built and tested against the packed tarball alone, then used by
 * every engine.
 */
import { execFile } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type DemoHost, startDemoHost } from "../../src/demo/host/demo-host.ts";
import { findEngines, titled } from "./engine.ts";
import { openWorkspace } from "./workspace.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const root = join(import.meta.dirname, "../..");
const allowed = { CONN3X_PLUGINS: "allow" };
let directory: string;
let host: DemoHost;

/** Not waiting in between: the host is in this process. */
const run = (program: string, args: readonly string[], cwd = directory, environment = {}) =>
  new Promise<{ readonly status: number; readonly text: string }>((resolve) => {
    const env = { ...process.env, ...environment };
    execFile(program, args, { cwd, env, encoding: "utf8" }, (error, stdout, stderr) =>
      resolve({ status: error === null ? 0 : Number(error.code), text: `${stdout}${stderr}` }),
    );
  });
/** The program of the installed package. */
const conn3x = (args: readonly string[], environment = {}) =>
  run(
    process.execPath,
    [join(directory, "node_modules/conn3x/dist/conn3x.cjs"), ...args],
    directory,
    environment,
  );
const written = () => join(host.root, "profile.d/conn3x-EDITOR.sh");

beforeAll(async () => {
  host = await startDemoHost();
  mkdirSync(join(host.root, "profile.d"));
  directory = realpathSync(mkdtempSync(join(tmpdir(), "conn3x-plugin-")));
  cpSync(join(root, "examples/plugin"), directory, { recursive: true });
  const packed = await run("npm", ["pack", "--ignore-scripts", "--pack-destination", directory], root);
  expect(packed.status, packed.text).toBe(0);
  writeFileSync(join(directory, "package.json"), '{ "private": true }\n');
  const installed = await run("npm", [
    "--cache",
    join(directory, "cache"),
    "install",
    "--offline",
    "--ignore-scripts",
    "--no-audit",
    "./conn3x-0.1.0.tgz",
  ]);
  expect(installed.status, installed.text).toBe(0);
  // What its developer has besides: the compiler, types of Node, vitest with all that it needs.
  for (const name of ["typescript", "vitest", "@types"])
    symlinkSync(join(root, "node_modules", name), join(directory, "node_modules", name));
  writeFileSync(join(directory, "key"), host.privateKey, { mode: 0o600 });
  writeFileSync(
    join(directory, "main.circuit.hcl"),
    `circuit "shells" {
  hosts = {
    web1 = { address = "${host.address}", port = ${host.port}, host_key = "${host.hostKey}" }
  }

  ssh {
    user             = "${host.user}"
    private_key_file = "key"
    agent            = false
  }

  step "editor" {
    profile_variable {
      directory = "${host.root}/profile.d"
      name      = "EDITOR"
      value     = "vim"
    }
  }
}
`,
  );
});

afterAll(async () => {
  await host?.close();
  if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
});

test("the package brings nothing along, and leaves the tools of the project out", async () => {
  const { dependencies } = JSON.parse(
    readFileSync(join(directory, "node_modules/conn3x/package.json"), "utf8"),
  );
  expect(dependencies).toBeUndefined();
  for (const name of ["lab.cjs", "bench.cjs"])
    expect(existsSync(join(directory, "node_modules/conn3x/dist", name))).toBe(false);
  for (const program of ["conn3x-commands.cjs", "provider/terraform-provider-conn3x"]) {
    const text = readFileSync(join(directory, "node_modules/conn3x/dist", program), "utf8");
    expect([program, text.includes("protobufjs")]).toEqual([program, false]);
    expect(text).toContain("tfplugin6.Provider");
  }
  expect(await conn3x(["version"])).toMatchObject({
    status: 0,
    text: expect.stringMatching(/^Conn3x v0\.1\.0/),
  });
});

test("a program compiles, plans and applies with it", async () => {
  writeFileSync(
    join(directory, "program.mjs"),
    `import { compile, isComplete, openPlan, planHasChanges } from "conn3x";
const { files, diagnostics } = await compile();
const events = [];
const run = await openPlan({ events: ({ kind }) => events.push(kind) });
if (run.plan === undefined) throw new Error(JSON.stringify(run.diagnostics));
const had = planHasChanges(run.plan);
const outcome = await run.apply();
const left = await run.close();
console.log(JSON.stringify({ files: [...files.keys()], diagnostics, had, done: isComplete(outcome), left, last: events.at(-1) }));
`,
  );
  const built = await run(process.execPath, [
    join(root, "node_modules/typescript/bin/tsc"),
    "-p",
    "profile-variable",
  ]);
  expect(built, built.text).toMatchObject({ status: 0 });
  const outcome = await run(process.execPath, ["program.mjs"], directory, allowed);
  expect(outcome.status, outcome.text).toBe(0);
  expect(JSON.parse(outcome.text)).toEqual({
    files: ["main.circuit.tf", "conn3x_override.tf"],
    diagnostics: [],
    had: true,
    done: true,
    left: [],
    last: "apply_complete",
  });
  expect(readFileSync(written(), "utf8")).toBe("export EDITOR=vim\n");
});

test("its own tests pass against the package", async () => {
  const tested = await run(
    process.execPath,
    [join(root, "node_modules/vitest/vitest.mjs"), "run", "--root", "."],
    join(directory, "profile-variable"),
  );
  expect(tested.status, tested.text).toBe(0);
});

test("the embedded engine finds and reverts drift, where plug-ins are allowed", async () => {
  const refused = await conn3x(["plan"]);
  expect(refused).toMatchObject({ status: 1, text: expect.stringContaining("CONN3X_PLUGINS=allow") });
  expect(await conn3x(["plan", "-no-exec"], allowed)).toMatchObject({
    status: 1,
    text: expect.stringContaining("-no-exec was given"),
  });
  expect(await conn3x(["validate"], allowed)).toMatchObject({ status: 0 });
  writeFileSync(written(), "export EDITOR=ed\n");
  expect(await conn3x(["plan", "-detailed-exitcode"], allowed)).toMatchObject({ status: 2 });
  const applied = await conn3x(["apply", "-auto-approve"], allowed);
  expect(applied.status, applied.text).toBe(0);
  expect(readFileSync(written(), "utf8")).toBe("export EDITOR=vim\n");
});

describe.each(titled(findEngines()))("%s", (_, engine) => {
  test("has the kind from the provider that it starts", async () => {
    expect(await conn3x(["compile"], allowed)).toMatchObject({ status: 0 });
    const alone = openWorkspace({
      engine,
      provider: { directory: join(directory, "node_modules/conn3x/dist/provider") },
      files: {},
      directory,
      environment: allowed,
    });
    expect(await alone.plan()).toMatchObject({ status: 0 });
    writeFileSync(written(), "export EDITOR=ed\n");
    const applied = await alone.apply();
    expect(applied, applied.stderr).toMatchObject({ status: 0 });
    expect(readFileSync(written(), "utf8")).toBe("export EDITOR=vim\n");
  });
});
