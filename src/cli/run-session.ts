/**
 * @module What plan, apply and destroy have in common: the configuration, the variables, a provider with its sessions,
 * and a run that is closed whatever happens.
 */
import { loadConfiguration } from "../compiler/load.ts";
import { createProvider } from "../core/create-provider.ts";
import { hasErrors } from "../diagnostics/diagnostic.ts";
import type { EventSink } from "../engine/event.ts";
import type { Plan } from "../engine/plan.ts";
import { type Run, startRun } from "../engine/run.ts";
import { kinds } from "../resources/index.ts";
import { createSessionPool } from "../ssh/session-pool.ts";
import { startExternalRun } from "../tofu/external-run.ts";
import { chosenEngine } from "../tofu/program.ts";
import type { Context, ExitCode } from "./command.ts";
import { type Interrupts, listenForInterrupts } from "./interrupts.ts";
import { parseDuration } from "./option.ts";
import { progressLine } from "./render/progress.ts";
import { createReporter, type Reporter } from "./reporter.ts";
import type { Terminal } from "./terminal.ts";
import { collectVariables } from "./variables.ts";

/** Where the configuration is: `-chdir` changed to it. */
const directory = ".";
/** Instances acted on at once, over all hosts. */
const defaultParallelism = 64;

/** A plan was made: what can be done with it. */
export interface Planned {
  readonly run: Run;
  readonly plan: Plan;
  readonly report: Reporter;
  readonly interrupts: Interrupts;
}

/** Plans, shows what was found wrong, and hands over when there is a plan. */
export async function withPlan(
  context: Context,
  mode: Plan["mode"],
  act: (planned: Planned) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { terminal, options } = context;
  const report = createReporter(terminal);
  const configuration = await loadConfiguration(directory, { kinds });
  const variables = collectVariables(directory, process.env, options.lists);
  const found = [...configuration.diagnostics, ...variables.diagnostics];
  report(found);
  if (hasErrors(found)) return 1;

  const sessions = createSessionPool();
  const provider = createProvider({ sessions });
  const interrupts = listenForInterrupts(terminal, async () => {
    provider.stop();
    await sessions.close();
  });
  try {
    const common = {
      configuration,
      mode,
      refresh: options.flag("refresh"),
      lockTimeout: parseDuration(options.value("lock-timeout") ?? "0s") ?? 0,
      parallelism: Number(options.value("parallelism") ?? defaultParallelism),
      signal: interrupts.signal,
      events: showEvents(terminal, report),
    };
    const statePath = options.value("state");
    const engine = chosenEngine(options.value("engine"), process.env);
    const run = await (engine === undefined
      ? startRun({
          ...common,
          provider,
          variables: variables.inputs,
          statePath: statePath ?? "terraform.tfstate",
        })
      : startExternalRun({ ...common, engine, sessions, statePath, variables: options.lists }));
    return await closing(run, () => decide(run, report, interrupts, act));
  } finally {
    interrupts.close();
    await provider.close();
    await sessions.close();
  }
}

/** Reads are too many to be shown one by one. */
function showEvents(terminal: Terminal, report: Reporter): EventSink {
  let reading = false;
  let spoke = false;
  return (event) => {
    if (event.kind === "diagnostic") {
      report([event.diagnostic]);
      spoke = true;
    }
    if (event.kind === "refresh_start" && !reading) {
      reading = true;
      terminal.out("Reading the hosts...\n");
    }
    const line = progressLine(event, terminal);
    if (line === undefined) return;
    // What was said in between stands apart from the lines around it.
    terminal.out(spoke ? `\n${line}` : line);
    spoke = false;
  };
}

async function decide(
  run: Run,
  report: Reporter,
  interrupts: Interrupts,
  act: (planned: Planned) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { plan } = run;
  report([...run.diagnostics, ...(plan?.diagnostics ?? [])]);
  return plan === undefined ? 1 : act({ run, plan, report, interrupts });
}

async function closing(run: Run, act: () => Promise<ExitCode>): Promise<ExitCode> {
  try {
    return await act();
  } finally {
    await run.close();
  }
}
