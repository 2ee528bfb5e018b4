/**
 * Many instances, and large ones, under each engine that is here, on simulated hosts: with the attached provider, and with
 * one that the engine takes from a mirror and starts by itself. The number of instances is `CONN3X_LARGE` (default 200; the
 * product's promise is about 2,000).
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { bundleProvider } from "../../provider/testing/bundle.ts";
import { compileDirectory } from "./compile-directory.ts";
import { findEngines, titled } from "./engine.ts";
import { layOut } from "./large-circuit.ts";
import type { Measured } from "./large-run.ts";
import { mirrorOf, openWorkspace } from "./workspace.ts";

const instances = Number(process.env.CONN3X_LARGE ?? 200);
const hosts = 20;
/** MiB, for up to 2,000 instances: of the provider, also where the command is in the same process. */
const most = 150;

let run: { readonly directory: string; readonly program: string };
let provider: { readonly directory: string; readonly program: string };
beforeAll(async () => {
  run = await bundleProvider("test/engines/large-run.ts");
  provider = await bundleProvider("test/engines/local-process.ts");
}, 120_000);
afterAll(() => {
  for (const made of [run, provider]) if (made) rmSync(made.directory, { recursive: true, force: true });
});

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "conn3x-large-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** @throws Error with what the run said when it fails */
function measure(phase: "first" | "second", engine: string): Promise<Measured> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [run.program, phase, engine, directory]);
    let output = "";
    let complaint = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
    });
    child.stderr.on("data", (chunk) => {
      complaint += chunk;
    });
    child.on("close", (status) =>
      status === 0 ? resolve(JSON.parse(output) as Measured) : reject(new Error(complaint)),
    );
  });
}

const reported = (what: string, figures: object) => console.log(`${what}: ${JSON.stringify(figures)}`);

describe.each([["embedded", { name: "embedded", program: "embedded" }] as const, ...titled(findEngines())])(
  "%s",
  (_, { program, name }) => {
    test("many instances: a question for each host, in little memory", { timeout: 1_800_000 }, async () => {
      layOut(directory, { hosts, steps: instances / hosts, bytes: 1 });
      const first = await measure("first", program);
      const second = await measure("second", program);
      reported(name, { first, second });
      expect([first.instances, second.instances]).toEqual([instances, instances]);
      expect(second.roundTrips).toBe(hosts);
      if (program !== "embedded")
        expect(Math.max(first.peakMemory, second.peakMemory)).toBeLessThanOrEqual(most);
    });

    test("contents of five megabytes", { timeout: 300_000 }, async () => {
      layOut(directory, { hosts: 2, steps: 1, bytes: 5_000_000 });
      expect((await measure("first", program)).instances).toBe(2);
      expect((await measure("second", program)).instances).toBe(2);
    });
  },
);

describe.each(titled(findEngines()))("%s, which starts the provider", (_, engine) => {
  test("many instances, in little memory", { timeout: 1_800_000 }, async () => {
    layOut(directory, { hosts, steps: instances / hosts, bytes: 1 });
    await compileDirectory(directory);
    const mirror = mirrorOf(join(directory, "mirror"), provider.program);
    const peaks = join(directory, "peaks");
    const { run: command } = openWorkspace({
      engine,
      directory,
      files: {},
      provider: { mirror },
      environment: { CONN3X_PEAK: peaks },
    });
    const timed = async (...args: readonly string[]) => {
      const begun = performance.now();
      const { status, stdout, stderr } = await command(args, 1_500_000);
      return { status, output: stdout + stderr, time: Math.round(performance.now() - begun) };
    };
    const all = [];
    for (const [args, status] of [
      [["init"], 0],
      [["plan", "-detailed-exitcode", "-no-color", "-parallelism=64"], 2],
      [["apply", "-auto-approve", "-no-color", "-parallelism=64"], 0],
      [["plan", "-detailed-exitcode", "-no-color", "-parallelism=64"], 0],
    ] as const) {
      const ended = await timed(...args);
      expect(ended.status, ended.output.slice(-2000)).toBe(status);
      all.push({ command: args[0], time: ended.time });
    }
    const memory = readFileSync(peaks, "utf8").trim().split("\n").map(Number);
    reported(`${engine.name}, from a mirror`, { all, memory });
    expect(Math.max(...memory)).toBeLessThanOrEqual(most);
  });
});
