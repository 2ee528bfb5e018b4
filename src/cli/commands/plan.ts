/**
 * @module `conn3x plan`
 */

import { errorDiagnostic, hasErrors } from "../../diagnostics/diagnostic.ts";
import { systemErrorSentence } from "../../diagnostics/system-error.ts";
import { type Plan, planHasChanges } from "../../engine/index.ts";
import { replaceFile } from "../../files/replace-file.ts";
import { chosenEngine } from "../../tofu/program/program.ts";
import type { Context, ExitCode } from "../command.ts";
import type { FlagSpec, Options, ValueSpec } from "../command-line/option.ts";
import type { EngineOption, PlanModeOption, RunOption } from "../command-line/shared-options.ts";
import { planJson } from "../json/plan-json.ts";
import { wasReached } from "../render/unread-hosts.ts";
import { withPlan } from "../run-session.ts";
import { urnsFor } from "../state/instance-name.ts";

type PlanOption = RunOption | PlanModeOption | FlagSpec<"detailed-exitcode"> | ValueSpec<"out" | "plan-json">;

export async function runPlan(context: Context<PlanOption>): Promise<ExitCode> {
  const { terminal, options } = context;
  const mode = modeOf(options);
  if (mode === undefined) {
    terminal.report([bothModes]);
    return 1;
  }
  const out = options.value("out");
  const planning = { mode, operation: "OperationTypePlan", saves: out !== undefined } as const;
  return withPlan(context, planning, async ({ run, plan, configuration, view, interrupts }) => {
    if (interrupts.signal.aborted) return 1;
    view.planned(plan);
    if (out !== undefined) {
      const problems = (await run.save?.(out)) ?? [];
      view.report(problems);
      if (hasErrors(problems)) return 1;
      if (!options.flag("json"))
        view.terminal.out(
          `\nSaved to ${out}. To do exactly this: conn3x apply ${engineOption(options)}${out}\n`,
        );
    }
    const file = options.value("plan-json");
    if (file !== undefined) {
      try {
        await replaceFile(file, `${planJson(plan, configuration, urnsFor(options))}\n`, { mode: 0o600 });
      } catch (error) {
        view.report([errorDiagnostic("Plan cannot be written", `${file}: ${systemErrorSentence(error)}`)]);
        return 1;
      }
    }
    if (!options.flag("detailed-exitcode")) return 0;
    return planHasChanges(plan) ? 2 : wasReached(plan) ? 0 : 3;
  });
}

/** A plan is for the engine that made it. */
function engineOption(options: Options<EngineOption>): string {
  const engine = options.value("engine");
  return chosenEngine(engine, process.env) === undefined || engine === undefined ? "" : `-engine=${engine} `;
}

/** Undefined when they exclude each other. */
export function modeOf(options: Options<PlanModeOption>): Plan["mode"] | undefined {
  const [destroys, looks] = [options.flag("destroy"), options.flag("refresh-only")];
  if (destroys && looks) return undefined;
  return destroys ? "destroy" : looks ? "refresh-only" : "normal";
}

export const bothModes = errorDiagnostic(
  "-destroy and -refresh-only exclude each other",
  "A plan does one or the other. Give one of them.",
);
