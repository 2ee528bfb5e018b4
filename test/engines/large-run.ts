/**
 * @module A circuit of many instances on simulated hosts, planned and applied in this process, with what that takes.
 *
 *     node large-run.cjs PHASE ENGINE DIRECTORY
 *
 * PHASE is `first`, a plan and its apply, or `second`, a plan that must be empty. ENGINE is `embedded` or a program. Works in
 * the directory, which {@link layOut} has filled, and prints a {@link Measured} as JSON. With an engine this process is the
 * attached provider and the command in one.
 */
import { loadConfiguration } from "../../src/compiler/source/load.ts";
import { createProvider } from "../../src/core/create-provider.ts";
import { keepHeapSmall } from "../../src/core/heap.ts";
import { planHasChanges } from "../../src/engine/plan.ts";
import { type Run, startRun } from "../../src/engine/run.ts";
import { kinds } from "../../src/resources/index.ts";
import { startExternalRun } from "../../src/tofu/run/external-run.ts";
import { type LocalSessions, localSessions } from "./local-sessions.ts";
import { peakMemory } from "./peak-memory.ts";

export interface Measured {
  readonly instances: number;
  /** Milliseconds. */
  readonly plan: number;
  /** Milliseconds; of the first phase. */
  readonly apply?: number;
  /** Of the plan, over all hosts. */
  readonly roundTrips: number;
  /** Of this process, in MiB. */
  readonly peakMemory: number;
}

async function main([phase, engine = "embedded", directory = "."]: readonly string[]): Promise<void> {
  keepHeapSmall();
  process.chdir(directory);
  const { run, time, sessions } = await planned(engine);
  const { plan } = run;
  if (plan === undefined) throw new Error(JSON.stringify(run.diagnostics));
  const roundTrips = sessions.flushes();
  if (phase === "second" && planHasChanges(plan)) throw new Error("a second plan is not empty");
  const apply = phase === "first" ? (await timed(() => run.apply())).time : undefined;
  await run.close();
  await sessions.close();
  const measured: Measured = {
    instances: plan.changes.length,
    plan: time,
    ...(apply === undefined ? {} : { apply }),
    roundTrips,
    peakMemory: peakMemory(),
  };
  process.stdout.write(`${JSON.stringify(measured)}\n`);
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
  return { run, time, sessions };
}

async function timed<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly time: number }> {
  const start = performance.now();
  const result = await work();
  return { result, time: Math.round(performance.now() - start) };
}

void main(process.argv.slice(2));
