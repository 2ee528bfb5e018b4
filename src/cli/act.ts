/**
 * @module Showing a plan, asking, and acting on it: what apply, destroy and refresh do.
 */

import { errorDiagnostic, hasErrors } from "../diagnostics/diagnostic.ts";
import { type Plan, planHasChanges, readSavedPlan } from "../engine/index.ts";
import { chosenEngine } from "../tofu/program/program.ts";
import type { Context, ExitCode } from "./command.ts";
import type { FlagSpec } from "./command-line/option.ts";
import { optionsOfPlanning, variablesOfPlanning } from "./command-line/saved-plan-options.ts";
import type { PlanModeOption, RunOption, SessionOption } from "./command-line/shared-options.ts";
import { nothingLeftUnread } from "./render/unread-hosts.ts";
import { type Planned, type Planning, withPlan } from "./run-session.ts";
import { isApproved, nobodyToAsk, type Question } from "./terminal/approval.ts";

/** What a person is asked about a plan. */
export type PlanQuestion = Omit<Question, "unasked">;

/** Applies a plan from a file as it was made: who made it has seen it. */
export async function applySaved(
  context: Context<RunOption | PlanModeOption>,
  path: string,
): Promise<ExitCode> {
  const embedded = chosenEngine(context.options.value("engine"), process.env) === undefined;
  const misplaced = optionsOfPlanning(context.options, path);
  if (misplaced !== undefined) {
    context.terminal.report([misplaced]);
    return 1;
  }
  if (!embedded) {
    const planning: Planning = { mode: "normal", operation: "OperationTypeApply", savedFile: path };
    return withPlan(context, planning, applyAsMade);
  }
  const { plan: saved, problem } = await readSavedPlan(path);
  const wrong = saved === undefined ? problem : variablesOfPlanning(context.options, saved.options, path);
  if (saved === undefined || wrong !== undefined) {
    context.terminal.report(wrong === undefined ? [] : [wrong]);
    return 1;
  }
  const planning: Planning = { mode: saved.options.mode, operation: "OperationTypeApply", saved };
  return withPlan(context, planning, applyAsMade);
}

function applyAsMade(planned: Planned): Promise<ExitCode> {
  planned.interrupts.enter("acting");
  return apply(planned);
}

/** Plans in the mode, asks unless an option says not to, and applies. */
export async function planAndApply(
  context: Context<SessionOption | FlagSpec<"refresh" | "auto-approve">>,
  mode: Plan["mode"],
  question: PlanQuestion,
): Promise<ExitCode> {
  const { terminal, options } = context;
  const approved = options.flag("auto-approve");
  const machine = options.flag("json");
  if (!approved && (machine || !terminal.interactive || !options.flag("input"))) {
    terminal.report([machine ? jsonNeedsApproval : nobodyToAsk({ ...question, unasked })]);
    return 1;
  }
  return withPlan(context, { mode, operation: "OperationTypeApply" }, async (planned) => {
    const { plan, interrupts, view } = planned;
    view.planned(plan);
    if (planHasChanges(plan) && !approved) {
      interrupts.enter("asking");
      if (!(await isApproved(terminal, { ...question, unasked }, interrupts.signal))) return 1;
    }
    interrupts.enter("acting");
    return apply(planned);
  });
}

async function apply({ run, plan, view }: Planned): Promise<ExitCode> {
  view.acting(plan);
  // Without changes too: what a read found is stored.
  const outcome = await run.apply();
  view.report(outcome.diagnostics);
  view.applied(plan, outcome);
  const complete = outcome.failed.length === 0 && outcome.notDone.length === 0;
  return complete && !hasErrors(outcome.diagnostics) && nothingLeftUnread(plan) ? 0 : 1;
}

const unasked = "-auto-approve";

const jsonNeedsApproval = errorDiagnostic(
  "-json needs -auto-approve",
  "With JSON lines nobody is asked. Give -auto-approve to act without being asked.",
);
