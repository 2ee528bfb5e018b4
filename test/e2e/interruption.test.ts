/**
 * Apply killed at any moment, with the controller's disk full, and with another engine at work in between: what counts
 * is what the hosts show after the next apply. `CONN3X_KILLS` says how many moments are tried on each fleet, and how many
 * times the disk is filled.
 */
import { execFileSync, spawn } from "node:child_process";
import {
  copyFileSync,
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
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { peekState } from "../../src/engine/state/peek.ts";
import { readState } from "../../src/engine/state/read-state.ts";
import { journalPath } from "../../src/engine/state/store.ts";
import { findEngines } from "../engines/engine.ts";
import { openWorkspace } from "../engines/workspace.ts";
import { describeLab, labHosts } from "../lab/for-tests.ts";
import type { LabHost } from "../lab/host.ts";
import type { Lab } from "../lab/lab.ts";
import { bundledProgram } from "./bundled.ts";
import { interruptedCircuit, leftovers, managedPaths, type Seen, see } from "./interrupted-circuit.ts";

const kills = Number(process.env.CONN3X_KILLS ?? 6);
/** Milliseconds for a test of so many rounds, each of several runs, on machines that have other things to do. */
vi.setConfig({ testTimeout: 300_000 + kills * 60_000 });
const program = bundledProgram();

interface Fleet {
  readonly lab: Lab;
  readonly hosts: readonly LabHost[];
}

/** A configuration directory whose circuit is written anew for each round. */
function roundsIn(directory: string, fleet: () => Fleet) {
  let round = 0;
  const state = join(directory, "terraform.tfstate");
  const run = async (...args: readonly string[]) => {
    const { status, output } = await program.run(directory, args);
    return { status, output };
  };
  return {
    directory,
    state,
    run,
    /** What the hosts are to have from now on. */
    next(): string {
      round++;
      writeFileSync(
        join(directory, "main.circuit.hcl"),
        interruptedCircuit(fleet().lab, fleet().hosts, `round ${round}`),
      );
      return `round ${round}`;
    },
    seen: (): Promise<readonly Seen[]> => Promise.all(fleet().hosts.map(see)),
    async done(...args: readonly string[]): Promise<string> {
      const { status, output } = await run(...args);
      expect(status, output).toBe(0);
      return output;
    },
    /** Every host has what the circuit says, its service runs with that, and nothing of ours is left. */
    async expectRight(text: string): Promise<void> {
      for (const host of fleet().hosts) {
        const seen = await see(host);
        expect(seen.config).toBe(`${text}\n`);
        expect(seen.served, `the handler of ${host.name} was lost`).toBe(`${text}\n`);
        expect(seen.notes).toEqual(Array(seen.notes.length).fill(`${text} on ${host.name}\n`));
        expect(await leftovers(host)).toBe("");
      }
      const { status, output } = await run("plan", "-detailed-exitcode");
      expect(status, output).toBe(0);
      // Neither a journal nor a lock, and nothing that was being written when a run was killed.
      expect(readdirSync(directory).filter((name) => name.startsWith(".terraform.tfstate"))).toEqual([]);
    },
    async expectNothing(): Promise<void> {
      for (const host of fleet().hosts) {
        expect(await host.must(`ls -d ${managedPaths} 2>/dev/null || true`)).toBe("");
        expect(await leftovers(host)).toBe("");
      }
    },
  };
}

type Rounds = ReturnType<typeof roundsIn>;

/** Starts an apply and kills it after so many milliseconds. Whoever reads the state meanwhile finds one. */
async function killedApply({ directory, state }: Rounds, after: number): Promise<void> {
  const child = spawn(process.execPath, [program.file, "apply", "-auto-approve"], {
    cwd: directory,
    stdio: "ignore",
  });
  const ended = new Promise<void>((resolve) => child.on("close", () => resolve()));
  const timer = setTimeout(() => child.kill("SIGKILL"), after);
  const reading = setInterval(() => expectReadable(state), 5);
  await ended;
  clearTimeout(timer);
  clearInterval(reading);
  expectReadable(state);
  expect((await peekState(state)).problem).toBe(undefined);
}

function expectReadable(state: string): void {
  if (!existsSync(state)) return;
  expect(readState(readFileSync(state, "utf8"), state).problem).toBe(undefined);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

for (const count of [1, 8] as const) {
  describeLab(`apply killed at any moment, ${count} ${count === 1 ? "host" : "hosts"}`, () => {
    const lab = labHosts(count);
    const directory = mkdtempSync(join(tmpdir(), "conn3x-killed-"));
    afterAll(() => rmSync(directory, { recursive: true, force: true }));
    const rounds = roundsIn(directory, () => lab);
    const moments = Array.from({ length: kills }, () => Math.random());

    test("of an update: the next one brings everything to its end", async () => {
      rounds.next();
      await rounds.done("apply", "-auto-approve");
      rounds.next();
      const whole = await timed(() => rounds.done("apply", "-auto-approve"));
      for (const moment of moments) {
        const text = rounds.next();
        await killedApply(rounds, moment * whole);
        await rounds.done("apply", "-auto-approve");
        await rounds.expectRight(text);
      }
      await rounds.done("destroy", "-auto-approve");
      await rounds.expectNothing();
    });

    test("of a first apply: what it had begun is ours, and goes with everything else", async () => {
      rounds.next();
      const whole = await timed(() => rounds.done("apply", "-auto-approve"));
      await rounds.done("destroy", "-auto-approve");
      for (const [i, moment] of moments.entries()) {
        const text = rounds.next();
        await killedApply(rounds, moment * whole);
        if (i % 2 === 0) {
          await rounds.done("apply", "-auto-approve");
          await rounds.expectRight(text);
        }
        await rounds.done("destroy", "-auto-approve");
        await rounds.expectNothing();
      }
    });
  });
}

describeLab("another engine in between", () => {
  const lab = labHosts(1);
  const engine = findEngines().find(({ name }) => name === "tofu");
  const provider = mkdtempSync(join(tmpdir(), "conn3x-provider-"));
  const directory = mkdtempSync(join(tmpdir(), "conn3x-between-"));
  const rounds = roundsIn(directory, () => lab);
  beforeAll(() => {
    copyFileSync(program.provider(), join(provider, "terraform-provider-conn3x"));
  });
  afterAll(() => {
    for (const path of [provider, directory]) rmSync(path, { recursive: true, force: true });
  });

  test.skipIf(engine === undefined)(
    "loses no handler, and a journal that does not fit any more is refused",
    async () => {
      rounds.next();
      await rounds.done("apply", "-auto-approve");
      rounds.next();
      const whole = await timed(() => rounds.done("apply", "-auto-approve"));
      for (let i = 0; i < kills; i++) {
        const text = rounds.next();
        await killedApply(rounds, Math.random() * whole);
        await rounds.done("compile");
        const workspace = openWorkspace({
          engine: engine!,
          directory,
          files: {},
          provider: { directory: provider },
        });
        // Our lock is not OpenTofu's to take: what is left of it tells nobody anything.
        const applied = await workspace.apply("-lock=false");
        expect(applied.status, applied.stdout + applied.stderr).toBe(0);
        const next = await rounds.run("apply", "-auto-approve");
        if (next.status !== 0) {
          expect(next.output).toContain("State journal does not fit the state");
          rmSync(journalPath(rounds.state));
          await rounds.done("apply", "-auto-approve");
        }
        await rounds.expectRight(text);
      }
      await rounds.done("destroy", "-auto-approve");
      await rounds.expectNothing();
    },
  );
});

describeLab("a full disk of the controller", () => {
  const lab = labHosts(2);
  const disk = mkdtempSync(join(tmpdir(), "conn3x-disk-"));
  const rounds = roundsIn(join(disk, "fleet"), () => lab);
  const filler = join(disk, "filler");
  beforeAll(() => {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=400k", "tmpfs", disk]);
    mkdirSync(rounds.directory);
  });
  afterAll(() => {
    execFileSync("umount", [disk]);
    rmSync(disk, { recursive: true, force: true });
  });
  /** Pages with which a run comes to its end. */
  const enough = 20;
  /** Leaves so many pages of 4 KiB. */
  const fill = (pages: number) => {
    rmSync(filler, { force: true });
    const free = Number(execFileSync("stat", ["-f", "-c", "%a", disk], { encoding: "utf8" }));
    execFileSync("dd", ["if=/dev/zero", `of=${filler}`, "bs=4096", `count=${Math.max(0, free - pages)}`], {
      stdio: "ignore",
    });
  };

  test("stops the run, and the next one with room brings everything to its end", async () => {
    rounds.next();
    await rounds.done("apply", "-auto-approve");
    let stopped = 0;
    for (let round = 0; round < 2 + kills; round++) {
      const text = rounds.next();
      // With more than that the disk is not full: what many rounds differ in is which host is where by then.
      fill(round % enough);
      const { status, output } = await rounds.run("apply", "-auto-approve");
      if (status !== 0) {
        stopped++;
        expect(output).toMatch(/cannot be saved|Cannot lock the state|cannot be read/);
        expect(output).not.toContain("defect");
      }
      expectReadable(rounds.state);
      rmSync(filler, { force: true });
      await rounds.done("apply", "-auto-approve");
      await rounds.expectRight(text);
    }
    expect(stopped).toBeGreaterThan(0);
    await rounds.done("destroy", "-auto-approve");
    await rounds.expectNothing();
  });
});
