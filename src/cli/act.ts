/**
 * @module Showing a plan, asking, and acting on it: what apply, destroy and refresh do.
 */
import { errorDiagnostic, hasErrors } from "../diagnostics/diagnostic.ts";
import { type Plan, planHasChanges } from "../engine/plan.ts";
import { readSavedPlan } from "../engine/saved/saved-plan.ts";
import { chosenEngine } from "../tofu/program.ts";
import type { Context, ExitCode } from "./command.ts";
import { type Planned, type Planning, withPlan } from "./run-session.ts";
import { optionsOfPlanning } from "./saved-plan-options.ts";
import type { Terminal } from "./terminal.ts";

/** What a person is asked. */
export interface Question {
  readonly command: string;
  readonly question: string;
  readonly explanation: string;
}

/** Applies a plan from a file as it was made: who made it has seen it. */
export async function applySaved(context: Context, path: string): Promise<ExitCode> {
  const embedded = chosenEngine(context.options.value("engine"), process.env) === undefined;
  const misplaced = optionsOfPlanning(context.options, path, embedded);
  if (misplaced !== undefined) {
    context.terminal.report([misplaced]);
    return 1;
  }
  if (!embedded) {
    const planning: Planning = { mode: "normal", operation: "OperationTypeApply", savedFile: path };
    return withPlan(context, planning, applyAsMade);
  }
  const { plan: saved, problem } = await readSavedPlan(path);
  if (saved === undefined) {
    context.terminal.report([problem]);
    return 1;
  }
  const planning: Planning = { mode: saved.options.mode, operation: "OperationTypeApply", saved };
  return withPlan(context, planning, applyAsMade);
}

function applyAsMade(planned: Planned): Promise<ExitCode> {
  planned.interrupts.enter("acting");
  return apply(planned);
}

/** Plans in the mode, asks unless told not to, and applies. */
export async function planAndApply(
  context: Context,
  mode: Plan["mode"],
  question: Question,
): Promise<ExitCode> {
  const { terminal, options } = context;
  const approved = options.flag("auto-approve");
  const machine = options.flag("json");
  if (!approved && (machine || !terminal.interactive || !options.flag("input"))) {
    terminal.report([machine ? jsonNeedsApproval : nobodyToAsk(question.command)]);
    return 1;
  }
  return withPlan(context, { mode, operation: "OperationTypeApply" }, async (planned) => {
    const { plan, interrupts, view } = planned;
    view.planned(plan);
    if (planHasChanges(plan) && !approved) {
      interrupts.enter("asking");
      const answer = await askFor(terminal, question, interrupts.signal);
      if (answer === undefined && !interrupts.signal.aborted)
        terminal.report([nobodyToAsk(question.command)]);
      if (answer !== "yes") {
        terminal.out(`\n${question.command} cancelled.\n`);
        return 1;
      }
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
  return complete && !hasErrors(outcome.diagnostics) ? 0 : 1;
}

async function askFor(
  terminal: Terminal,
  { question, explanation }: Question,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { bold } = terminal.colors;
  terminal.out(`\n${bold(question)}\n  ${explanation}\n  Only 'yes' will be accepted to approve.\n\n`);
  return terminal.ask(`  ${bold("Enter a value:")} `, signal);
}

const nobodyToAsk = (command: string) =>
  errorDiagnostic(
    `${command} needs somebody to approve it`,
    "It asks before it acts, and there is nobody to ask. Give -auto-approve to act without being asked.",
  );

const jsonNeedsApproval = errorDiagnostic(
  "-json needs -auto-approve",
  "With JSON lines nobody is asked. Give -auto-approve to act without being asked.",
);
