/**
 * @module `conn3x plan`
 */
import { planHasChanges } from "../../engine/plan.ts";
import type { Context, ExitCode } from "../command.ts";
import { renderPlan } from "../render/plan.ts";
import { withPlan } from "../run-session.ts";

export function runPlan(context: Context): Promise<ExitCode> {
  const { terminal, options } = context;
  return withPlan(context, options.flag("destroy") ? "destroy" : "normal", async ({ plan, interrupts }) => {
    if (interrupts.signal.aborted) return 1;
    terminal.out(renderPlan(plan, { ...terminal, expand: options.flag("expand") }));
    return options.flag("detailed-exitcode") && planHasChanges(plan) ? 2 : 0;
  });
}
