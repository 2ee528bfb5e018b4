/**
 * @module What plan, apply, destroy and refresh have in common: the configuration, the variables, a provider with its
 * sessions, a view, and a run that is closed whatever happens.
 */

import { resolve } from "node:path";
import type { Configuration } from "../compiler/index.ts";
import { isAboutWholeHost } from "../core/index.ts";
import { type Diagnostic, hasErrors } from "../diagnostics/diagnostic.ts";
import {
  defaultParallelism,
  type EventSink,
  type Plan,
  patternsIn,
  type Run,
  type SavedPlan,
  type SelectionNames,
  startRun,
  type VariableInput,
  withoutReads,
} from "../engine/index.ts";
import { chosenEngine } from "../tofu/program/program.ts";
import type { Context, ExitCode } from "./command.ts";
import type { FlagSpec, Options } from "./command-line/option.ts";
import { poolOptions } from "./command-line/pool-options.ts";
import type {
  RunOption,
  SelectionOption,
  SessionOption,
  StateOption,
} from "./command-line/shared-options.ts";
import { readConfiguration } from "./configuration/configuration.ts";
import { engineVariables } from "./configuration/variables.ts";
import { type Sessions, withSessions } from "./sessions.ts";
import { lockTimeoutOf, stateBackendOf } from "./state/state-backend.ts";
import { concealVariables } from "./terminal/host-log.ts";
import type { Interrupts } from "./terminal/interrupts.ts";
import { openView, type View } from "./terminal/view.ts";

/** A plan was made: what can be done with it. */
export interface Planned {
  readonly run: Run;
  readonly plan: Plan;
  readonly configuration: Configuration;
  readonly view: View;
  readonly interrupts: Interrupts;
}

/** The kind of plan to make. */
export interface Planning {
  readonly mode: Plan["mode"];
  /** For those who find the state locked, in OpenTofu's words. */
  readonly operation: "OperationTypePlan" | "OperationTypeApply";
  /** A plan from a file, which has a mode, variables and a selection of its own. */
  readonly saved?: SavedPlan;
  /** File of a plan of the other engine, which has these as well. */
  readonly savedFile?: string;
  /** Whether the plan is to be written to a file. */
  readonly saves?: boolean;
}

/** What of the options a plan depends on. What else selects is looked at where a command declares it. */
type PlanningOption = SessionOption | FlagSpec<"refresh">;

/** Plans, shows what was found wrong, and hands over when there is a plan. */
export async function withPlan(
  context: Context<PlanningOption>,
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
  { options }: Context<PlanningOption>,
  planning: Planning,
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
  const project = engine === undefined ? await projectOf(options, configuration) : undefined;
  const pool = { ...opened.pool, ...(project !== undefined && { project }) };
  const use = { terminal: view.terminal, report: view.report, pool };
  return withSessions(use, async (open) => {
    concealVariables(open.sessions, configuration, variables);
    const given = { configuration, variables, planning, events: view.events };
    const run =
      engine === undefined
        ? await embeddedRun(options, given, open)
        : await externalRun(options, engine, given, open);
    const { interrupts } = open;
    return closing(run, view, () => decide(run, { configuration, view, interrupts }, act));
  });
}

/** What the runs about one state have in common: by it they know what one of them left running on a host. */
async function projectOf(options: Options<StateOption>, configuration: Configuration): Promise<string> {
  const { name, isRemote } = await stateBackendOf(options, configuration);
  return isRemote ? name : resolve(name);
}

/** The input of a run of either engine, in addition to the options. */
interface RunInput {
  readonly configuration: Configuration;
  readonly variables: readonly VariableInput[];
  readonly planning: Planning;
  readonly events: EventSink;
}

/** Options that both engines have. */
function commonOptions(
  options: Options<PlanningOption>,
  { configuration, planning, events }: RunInput,
  { signal }: Interrupts,
) {
  return {
    ...selectionOf(options),
    configuration,
    mode: planning.mode,
    refresh: options.flag("refresh"),
    replace: options.declaring<RunOption>("replace")?.list("replace") ?? [],
    lockTimeout: lockTimeoutOf(options),
    parallelism: Number(options.value("parallelism") ?? defaultParallelism),
    signal,
    events: planning.saved === undefined ? events : withoutReads(events),
  };
}

async function embeddedRun(
  options: Options<PlanningOption>,
  given: RunInput,
  { provider, interrupts }: Sessions,
): Promise<Run> {
  const { configuration, variables, planning } = given;
  const { saved, saves = false, operation } = planning;
  return startRun({
    ...commonOptions(options, given, interrupts),
    ...(saved === undefined ? {} : { saved }),
    saves,
    operation,
    provider,
    variables,
    statePath: await stateBackendOf(options, configuration),
  });
}

/** The code that drives other engines is loaded only when one is chosen: it is a fifth of a plan's start-up time. */
async function externalRun(
  options: Options<PlanningOption>,
  engine: string,
  given: RunInput,
  { sessions, interrupts, hurry }: Sessions,
): Promise<Run> {
  const run = {
    ...commonOptions(options, given, interrupts),
    engine,
    sessions,
    statePath: options.value("state"),
    variables: engineVariables(options),
    inputs: given.variables,
    hurry,
  };
  const { savedFile } = given.planning;
  if (savedFile === undefined) {
    const { startExternalRun } = await import("../tofu/run/external-run.ts");
    return startExternalRun(run);
  }
  const { startSavedRun } = await import("../tofu/run/start-saved-run.ts");
  return startSavedRun(run, savedFile);
}

/** What a command is about: everything, unless one of the options is given. */
export function selectionOf(options: Options<never>): SelectionNames {
  const names = (name: SelectionOption["name"]): readonly string[] =>
    options.declaring<SelectionOption>(name)?.list(name) ?? [];
  return {
    target: names("target"),
    circuit: names("circuit"),
    step: names("step"),
    limit: patternsIn(names("limit")),
  };
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

/** Errors, without those about hosts: nothing is wrong with a host whose reading was interrupted. */
const isNoneOfStopping = (diagnostic: Diagnostic): boolean =>
  diagnostic.severity === "error" && !isAboutWholeHost(diagnostic);

/** Closes the run in any case. A lock that could not be released is an error. */
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
