/** Real engines with the memory provider: what they enforce on the wire. Each engine is skipped where it is missing. */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { findEngines, titled } from "../test/engines/engine.ts";
import { actionOf, instanceOf } from "../test/engines/json.ts";
import { openWorkspace, type Workspace } from "../test/engines/workspace.ts";
import { createLog } from "./log.ts";
import { reattachVariable } from "./reattach.ts";
import { type Serving, serve } from "./serve.ts";
import { createSocketPlace, type SocketPlace } from "./socket.ts";
import { bundleProvider } from "./testing/bundle.ts";
import { createMemoryProvider } from "./testing/memory-provider.ts";

// An engine starts several processes for each of its commands.
vi.setConfig({ testTimeout: 180_000 });

const engines = findEngines();
const required = `terraform {
  required_providers {
    conn3x = { source = "registry.opentofu.org/conn3x/conn3x" }
  }
}
`;
const note = (name: string, body: string) => `resource "conn3x_note" "${name}" {\n${body}\n}\n`;

let provider: { directory: string; program: string };
let workspace: Workspace;
beforeAll(async () => {
  provider = await bundleProvider("provider/testing/memory-process.ts");
});
afterAll(() => rmSync(provider.directory, { recursive: true, force: true }));
afterEach(() => workspace?.remove());

it.skipIf(engines.length === 0)("knows which engines there are", () => {
  for (const { version } of engines) expect(version).toMatch(/^\d+\.\d+\.\d+/);
});

describe.each(titled(engines))("%s", (_, engine) => {
  const hostFile = (): string => join(provider.directory, `host-${engine.name}.json`);
  const open = (main: string): Workspace => {
    rmSync(hostFile(), { force: true });
    workspace = openWorkspace({
      engine,
      files: { "main.tf": required + main },
      provider,
      environment: { CONN3X_MEMORY_HOST: hostFile() },
    });
    return workspace;
  };
  const fine = async (run: Promise<{ status: number; stdout: string; stderr: string }>) => {
    const { status, stdout, stderr } = await run;
    expect(status, stdout + stderr).toBe(0);
  };

  it("creates, finds nothing to do, sees drift, updates, replaces, destroys", async () => {
    const values = `
      weight   = 1152921504606846977
      lines    = ["b", "a"]
      labels   = { z = "1", a = "2" }
      triggers = ["r", { k = true }, 0.1, null]
      secret   = "hidden"
      place {
        wall = "north"
      }`;
    const { write, plan, apply, destroy, state } = open(note("a", `name = "a"\ntext = "hello"${values}`));
    const first = await plan();
    expect(first.status, first.stderr).toBe(2);
    expect(actionOf(first.plan, "conn3x_note.a")).toBe("create");
    await fine(apply("tfplan"));
    const made = instanceOf(await state(), "conn3x_note.a")!;
    expect(made.values).toMatchObject({
      length: 5,
      lines: ["b", "a"],
      labels: { a: "2", z: "1" },
      triggers: ["r", { k: true }, 0.1, null],
      place: { wall: "north", height: null },
    });
    // An integer beyond 2^53 came through both ways and the state.
    expect(readFileSync(hostFile(), "utf8")).toContain("1152921504606846977");

    const second = await plan();
    expect(second.status, second.stdout + second.stderr).toBe(0);

    writeFileSync(hostFile(), readFileSync(hostFile(), "utf8").replace("hello", "tampered"));
    const drifted = await plan();
    expect(drifted.plan?.resource_drift?.map(({ address }) => address)).toEqual(["conn3x_note.a"]);
    expect(actionOf(drifted.plan, "conn3x_note.a")).toBe("update");
    await fine(apply());
    expect(readFileSync(hostFile(), "utf8")).toContain("hello");

    write("main.tf", required + note("a", `name = "b"\ntext = "hello"${values}`));
    const renamed = await plan();
    expect(actionOf(renamed.plan, "conn3x_note.a")).toBe("delete,create");
    expect(renamed.plan?.resource_changes?.[0]?.change.replace_paths).toEqual([["name"]]);
    await fine(apply("tfplan"));
    expect(Object.keys(JSON.parse(readFileSync(hostFile(), "utf8")))).toEqual(["b"]);

    await fine(destroy());
    expect(readFileSync(hostFile(), "utf8")).toBe("{}");
  });

  it("passes unknown values at any depth, and what is known of them", async () => {
    const main =
      note("a", `name = "a"\ntext = "x"`) +
      note(
        "b",
        `name = "b"
      text     = "after \${conn3x_note.a.revision}"
      lines    = [conn3x_note.a.revision, "last"]
      labels   = { r = "is \${conn3x_note.a.revision}" }
      triggers = [{ for k, v in { "h/1" = conn3x_note.a } : k => v.revision }, conn3x_note.a.length]`,
      );
    const { plan, apply, state } = open(main);
    const planned = await plan();
    expect(planned.status, planned.stderr).toBe(2);
    const change = planned.plan?.resource_changes?.find(({ address }) => address === "conn3x_note.b")?.change;
    expect(change?.after_unknown).toMatchObject({
      text: true,
      lines: [true, false],
      labels: { r: true },
      triggers: [{ "h/1": true }, true],
    });
    await fine(apply("tfplan"));
    const all = await state();
    const revision = instanceOf(all, "conn3x_note.a")?.values.revision as string;
    expect(instanceOf(all, "conn3x_note.b")?.values).toMatchObject({
      text: `after ${revision}`,
      lines: [revision, "last"],
      labels: { r: `is ${revision}` },
      triggers: [{ "h/1": revision }, 1],
    });
    expect((await plan()).status).toBe(0);
  });

  it("shows diagnostics with the attribute they are about", async () => {
    const { run } = open(note("a", `name = "a"\ntext = "invalid"`));
    const validated = await run(["validate", "-json"]);
    const { diagnostics } = JSON.parse(validated.stdout) as {
      diagnostics: { summary: string; range?: { start: { line: number } } }[];
    };
    const found = diagnostics.find(({ summary }) => summary === "Invalid text");
    // The eighth line of the file is the text.
    expect(found?.range?.start.line).toBe(8);
  });

  it("accepts a warning, and an unknown provider configuration", async () => {
    const main = `${note("a", `name = "a"\ntext = "odd"`)}
      resource "terraform_data" "later" { input = "p" }
      provider "conn3x" { prefix = terraform_data.later.output }`;
    const { plan } = open(main);
    const planned = await plan();
    expect(planned.status, planned.stdout + planned.stderr).toBe(2);
    expect(planned.stdout).toContain("Odd plan");
  });

  it("saves what a failed create has made, tainted, and replaces it next time", async () => {
    const { apply, state, plan } = open(note("a", `name = "a"\ntext = "fail half-way"`));
    const applied = await apply();
    expect(applied.status).toBe(1);
    expect(applied.stderr).toContain("Half of it");
    expect(instanceOf(await state(), "conn3x_note.a")?.tainted).toBe(true);
    expect(actionOf((await plan()).plan, "conn3x_note.a")).toBe("delete,create");
  });

  it("records nothing for a create that failed, and keeps what was for an update and a delete that did", async () => {
    const { write, apply, state } = open(note("a", `name = "a"\ntext = "throw in apply"`));
    expect((await apply()).status).toBe(1);
    expect((await state()).values).toBeUndefined();
    write("main.tf", required + note("a", `name = "a"\ntext = "before"`));
    await fine(apply());
    write("main.tf", required + note("a", `name = "a"\ntext = "throw in apply"`));
    expect((await apply()).status).toBe(1);
    const kept = instanceOf(await state(), "conn3x_note.a");
    expect(kept?.values.text).toBe("before");
    expect(kept?.tainted).toBeUndefined();
    write("main.tf", required + note("a", `name = "a"\ntext = "stays whatever happens"`));
    await fine(apply());
    write("main.tf", required);
    expect((await apply()).status).toBe(1);
    expect(instanceOf(await state(), "conn3x_note.a")?.values.text).toBe("stays whatever happens");
  });

  it.each(["validate", "plan", "apply"])("survives a provider that throws in %s", async (call) => {
    const { apply } = open(note("a", `name = "a"\ntext = "throw in ${call}"`));
    const applied = await apply();
    expect(applied.status).toBe(1);
    expect(applied.stderr).toContain("Conn3x has a defect");
    expect(applied.stderr).not.toMatch(/did not respond|crash/i);
  });

  it("imports", async () => {
    const { run, apply, plan, state } = open(note("a", `name = "a"\ntext = "hello"`));
    await fine(apply());
    await fine(run(["state", "rm", "conn3x_note.a"]));
    await fine(run(["import", "-no-color", "conn3x_note.a", "a"]));
    expect(instanceOf(await state(), "conn3x_note.a")?.values.text).toBe("hello");
    expect((await plan()).status).toBe(0);
  });

  it("says why there is no move between types, no data source, no function", async () => {
    const { apply, write, plan } = open(`resource "terraform_data" "a" {}\n`);
    await fine(apply());
    write(
      "main.tf",
      `${required + note("a", `name = "a"`)}\nmoved {\n  from = terraform_data.a\n  to = conn3x_note.a\n}\n`,
    );
    const moved = await plan();
    expect(moved.stderr.replaceAll(/[\s│]+/g, " ")).toContain("A terraform_data cannot become a conn3x_note");
    write("main.tf", `${required}data "conn3x_x" "x" {}\n`);
    expect((await plan()).status).toBe(1);
    write("main.tf", `${required}output "f" { value = provider::conn3x::f() }\n`);
    expect((await plan()).status).toBe(1);
  });

  it("logs in the form that the engine takes apart", async () => {
    workspace = openWorkspace({
      engine,
      files: { "main.tf": required + note("a", `name = "a"\ntext = "throw in plan"`) },
      provider,
      environment: { TF_LOG_PROVIDER: "debug" },
    });
    const { stderr } = await workspace.plan();
    // The level is the engine's own, the fields follow the text.
    expect(stderr).toMatch(
      /\[DEBUG\] provider\.terraform-provider-conn3x: answered GetProviderSchema: .*milliseconds=\d/,
    );
    expect(stderr).toMatch(/\[ERROR\] provider\.terraform-provider-conn3x: PlanResourceChange failed/);
  });

  it("stops when it is interrupted, and what was in flight ends by itself", async () => {
    const { start } = open(note("a", `name = "a"\ntext = "wait for the stop"`));
    const { pid, result } = start(["apply", "-auto-approve", "-no-color"]);
    await expect.poll(() => existsSync(`${hostFile()}.waiting`), { timeout: 15_000 }).toBe(true);
    process.kill(pid, "SIGINT");
    const { status, stderr } = await result;
    expect(status).toBe(1);
    expect(stderr).toContain("The user asked to stop.");
  });

  describe("attached to a provider that runs already", () => {
    let place: SocketPlace;
    let serving: Serving;
    let opened = 0;
    beforeAll(async () => {
      place = await createSocketPlace();
      serving = await serve({
        openProvider: () => {
          opened++;
          return createMemoryProvider(hostFile());
        },
        socketPath: place.path,
        log: createLog({}, () => undefined),
      });
    });
    afterAll(async () => {
      await serving.close();
      place.remove();
    });

    it("keeps the configurations of two aliases apart, in one process that goes on", async () => {
      rmSync(hostFile(), { force: true });
      const main = `
        provider "conn3x" { prefix = "1" }
        provider "conn3x" {
          alias  = "long"
          prefix = "123456"
        }
        ${note("a", `name = "a"\ntext = "x"`)}
        ${note("b", `name = "b"\ntext = "x"\nprovider = conn3x.long`)}`;
      workspace = openWorkspace({
        engine,
        files: { "main.tf": required + main },
        provider: { reattach: reattachVariable(place.path) },
      });
      await fine(workspace.apply());
      const state = await workspace.state();
      expect(instanceOf(state, "conn3x_note.a")?.values.length).toBe(2);
      expect(instanceOf(state, "conn3x_note.b")?.values.length).toBe(7);
      const before = opened;
      expect((await workspace.plan()).status).toBe(0);
      expect(opened).toBeGreaterThan(before);
      await fine(workspace.destroy());
    });
  });
});
