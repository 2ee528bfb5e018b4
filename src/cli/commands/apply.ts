/**
 * @module `conn3x apply`
 */

import { applySaved, planAndApply } from "../act.ts";
import type { Context, ExitCode } from "../command.ts";
import type { approval, PlanModeOption, RunOption } from "../command-line/shared-options.ts";
import { runDestroy } from "./destroy.ts";
import { bothModes, modeOf } from "./plan.ts";
import { keepingQuestion } from "./refresh.ts";

export async function runApply(
  context: Context<RunOption | PlanModeOption | typeof approval>,
): Promise<ExitCode> {
  const [path] = context.args;
  if (path !== undefined) return applySaved(context, path);
  switch (modeOf(context.options)) {
    case undefined:
      context.terminal.report([bothModes]);
      return 1;
    case "destroy":
      return runDestroy(context);
    case "refresh-only":
      return planAndApply(context, "refresh-only", keepingQuestion);
    case "normal":
      return planAndApply(context, "normal", {
        command: "Apply",
        question: "Do you want to perform these actions?",
        explanation: "Conn3x will perform the actions described above.",
      });
  }
}
