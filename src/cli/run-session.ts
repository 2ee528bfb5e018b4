/**
 * @module What plan, apply, destroy and refresh have in common: the configuration, the variables, a provider with its
 * sessions, a view, and a run that is closed whatever happens.
 */
import type { Configuration } from "../compiler/model.ts";
import { isAboutWholeHost } from "../core/host-diagnostics.ts";
import { type Diagnostic, hasErrors } from "../diagnostics/diagnostic.ts";
import type { SelectionNames } from "../engine/decide/selection.ts";
import { patternsIn } from "../engine/host-pattern.ts";
import type { Plan } from "../engine/plan.ts";
import { type Run, startRun } from "../engine/run.ts";
import type { SavedPlan } from "../engine/saved/saved-plan.ts";
import { withoutReads } from "../engine/without-reads.ts";
import { chosenEngine } from "../tofu/program.ts";
import type { ExternalRunOptions } from "../tofu/run-options.ts";
import type { Context, ExitCode } from "./command.ts";
import { readConfiguration } from "./configuration.ts";
import { concealVariables } from "./host-log.ts";
import type { Interrupts } from "./interrupts.ts";
import type { Options } from "./option.ts";
import { poolOptions } from "./pool-options.ts";
import { withSessions } from "./sessions.ts";
import { lockTimeoutOf, statePlaceOf } from "./stored.ts";
import { engineVariables } from "./variables.ts";
import { openView, type View } from "./view.ts";

/** Instances acted on at once, over all hosts. */
export const defaultParallelism = 64;

/** A plan was made: what can be done with it. */
export interface Planned {
  readonly run: Run;
  readonly plan: Plan;
  readonly configuration: Configuration;
  readonly view: View;
  readonly interrupts: Interrupts;
}

/** What is to be planned. */
export interface Planning {
  readonly mode: Plan["mode"];
  /** For those who find the state locked, in OpenTofu's words. */
  readonly operation: "OperationTypePlan" | "OperationTypeApply";
  /** A plan from a file, which has a mode, variables and a selection of its own. */
  readonly saved?: SavedPlan;
  /** File of a plan of the other engine's, likewise. */
  readonly savedFile?: string;
  /** Whether the plan is to be written to a file. */
  readonly saves?: boolean;
}

/** Plans, shows what was found wrong, and hands over when there is a plan. */
export async function withPlan(
  context: Context,
  planning: Planning,
  act: (planned: Planned) => Promise<ExitCode>,
): Promise<ExitCode> {
  const view = openView(context);
  try {
    return await inView(context, planning, view, act);
  } finally {
    view.close();
  }
}

async function inView(
  { options }: Context,
  { mode, operation, saved, savedFile, saves = false }: Planning,
  view: View,
  act: (planned: Planned) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { configuration, variables, diagnostics } = await readConfiguration(options);
  view.report(diagnostics);
  if (hasErrors(diagnostics)) return 1;

  const engine = chosenEngine(options.value("engine"), process.env);
  const opened = await poolOptions(options, {
    configuration,
    variables,
    report: view.report,
    err: view.terminal.err,
    otherEngine: engine !== undefined,
  });
  if ("problem" in opened) {
    view.report([opened.problem]);
    return 1;
  }
  const use = { terminal: view.terminal, report: view.report, pool: opened.pool };
  return withSessions(use, async ({ sessions, provider, interrupts, hurry }) => {
    concealVariables(sessions, configuration, variables);
    const common = {
      configuration,
      mode,
      refresh: options.flag("refresh"),
      replace: options.has("replace") ? options.list("replace") : [],
      lockTimeout: lockTimeoutOf(options),
      parallelism: Number(options.value("parallelism") ?? defaultParallelism),
      signal: interrupts.signal,
      events: saved === undefined ? view.events : withoutReads(view.events),
    };
    const statePath = options.value("state");
    const run = await (engine === undefined
      ? startRun({
          ...common,
          ...selectionOf(options),
          ...(saved === undefined ? {} : { saved }),
          saves,
          operation,
          provider,
          variables,
          statePath: await statePlaceOf(options, configuration),
        })
      : externalRun(
          {
            ...common,
            ...selectionOf(options),
            engine,
            sessions,
            statePath,
            variables: engineVariables(options),
            inputs: variables,
            hurry,
          },
          savedFile,
        ));
    return closing(run, view, () => decide(run, { configuration, view, interrupts }, act));
  });
}

/** What the run is about; nothing given: everything. */
function selectionOf(options: Options): SelectionNames {
  const names = (name: string): readonly string[] => (options.has(name) ? options.list(name) : []);
  return {
    target: names("target"),
    circuit: names("circuit"),
    step: names("step"),
    limit: patternsIn(names("limit")),
  };
}

/** What drives other engines is loaded where one is chosen only: it is a fifth of what a plan takes to start. */
async function externalRun(options: ExternalRunOptions, savedFile: string | undefined): Promise<Run> {
  if (savedFile === undefined) {
    const { startExternalRun } = await import("../tofu/external-run.ts");
    return startExternalRun(options);
  }
  const { startSavedRun } = await import("../tofu/start-saved-run.ts");
  return startSavedRun(options, savedFile);
}

async function decide(
  run: Run,
  around: Pick<Planned, "configuration" | "view" | "interrupts">,
  act: (planned: Planned) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { plan } = run;
  if (around.interrupts.signal.aborted) {
    around.view.report(run.diagnostics.filter(isNoneOfStopping));
    return 1;
  }
  around.view.report([...run.diagnostics, ...(plan?.diagnostics ?? [])]);
  return plan === undefined ? 1 : act({ run, plan, ...around });
}

/** Hosts whose reading was stopped have nothing wrong with them. */
const isNoneOfStopping = (diagnostic: Diagnostic): boolean =>
  diagnostic.severity === "error" && !isAboutWholeHost(diagnostic);

/** A lock that stays is an error, whatever came before. */
async function closing(run: Run, view: View, act: () => Promise<ExitCode>): Promise<ExitCode> {
  let left: readonly Diagnostic[] = [];
  let code: ExitCode;
  try {
    code = await act();
  } finally {
    left = await run.close();
    view.report(left);
  }
  return hasErrors(left) ? 1 : code;
}
