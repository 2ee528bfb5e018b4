/**
 * @module A circuit of many instances on simulated hosts, planned and applied in this process, with what that takes.
 *
 *     node large-run.cjs ENGINE HOSTS STEPS BYTES
 *
 * ENGINE is `embedded` or a program. Prints a {@link Measured} as JSON. With an engine this process is the attached
 * provider and the command in one.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadConfiguration } from "../../src/compiler/load.ts";
import { createProvider } from "../../src/core/create-provider.ts";
import { planHasChanges } from "../../src/engine/plan.ts";
import { type Run, startRun } from "../../src/engine/run.ts";
import { kinds } from "../../src/resources/index.ts";
import { startExternalRun } from "../../src/tofu/external-run.ts";
import { type LocalSessions, localSessions } from "./local-sessions.ts";

export interface Measured {
  readonly instances: number;
  /** Milliseconds. */
  readonly firstPlan: number;
  readonly firstApply: number;
  readonly emptyPlan: number;
  /** Of the empty plan, over all hosts. */
  readonly roundTrips: number;
  /** Of this process, in MiB. */
  readonly peakMemory: number;
}

async function main([engine = "embedded", ...numbers]: readonly string[]): Promise<void> {
  const [hosts = 40, steps = 50, bytes = 1] = numbers.map(Number);
  const directory = mkdtempSync(join(tmpdir(), "conn3x-large-"));
  process.chdir(directory);
  try {
    for (let host = 0; host < hosts; host++)
      mkdirSync(join(directory, "hosts", `h${host}`), { recursive: true });
    writeFileSync("main.circuit.hcl", circuit(directory, hosts, steps, bytes));
    const first = await planned(engine);
    const { time: firstApply } = await timed(() => first.run.apply());
    await first.run.close();
    await first.sessions.close();
    const second = await planned(engine);
    await second.run.close();
    await second.sessions.close();
    const { plan } = second.run;
    if (plan === undefined || planHasChanges(plan)) throw new Error("a second plan is not empty");
    const measured: Measured = {
      instances: plan.changes.length,
      firstPlan: first.time,
      firstApply,
      emptyPlan: second.time,
      roundTrips: second.sessions.flushes(),
      peakMemory: Math.round(process.resourceUsage().maxRSS / 1024),
    };
    process.stdout.write(`${JSON.stringify(measured)}\n`);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

interface Planned {
  readonly run: Run;
  readonly time: number;
  readonly sessions: LocalSessions;
}

async function planned(engine: string): Promise<Planned> {
  const sessions = localSessions();
  const { result: run, time } = await timed(async () => {
    const configuration = await loadConfiguration(".", { kinds });
    const common = {
      configuration,
      mode: "normal",
      refresh: true,
      lockTimeout: 0,
      parallelism: 64,
      variables: [],
      events: () => undefined,
    } as const;
    return engine === "embedded"
      ? startRun({ ...common, provider: createProvider({ sessions }), statePath: "terraform.tfstate" })
      : startExternalRun({ ...common, inputs: [], engine, sessions, statePath: undefined });
  });
  if (run.plan === undefined) throw new Error(JSON.stringify(run.diagnostics));
  return { run, time, sessions };
}

async function timed<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly time: number }> {
  const start = performance.now();
  const result = await work();
  return { result, time: Math.round(performance.now() - start) };
}

function circuit(directory: string, hosts: number, steps: number, bytes: number): string {
  const step = (index: number) => `
  step "s${index}" {
    file {
      path    = "${directory}/hosts/\${host.name}/s${index}"
      content = local.content
    }
  }
`;
  return `
locals {
  content = "${"x".repeat(bytes)}"
}

circuit "web" {
  hosts = { for n in range(${hosts}) : "h\${n}" => "192.0.2.\${n}" }
${Array.from({ length: steps }, (_, index) => step(index)).join("")}}
`;
}

void main(process.argv.slice(2));
