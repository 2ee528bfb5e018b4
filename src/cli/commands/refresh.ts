/**
 * @module `conn3x refresh`: `apply -refresh-only -auto-approve`, as for OpenTofu.
 */

import { type PlanQuestion, planAndApply } from "../act.ts";
import type { Context, ExitCode } from "../command.ts";
import type { FlagSpec, Options } from "../command-line/option.ts";
import type { SessionOption } from "../command-line/shared-options.ts";

export const keepingQuestion: PlanQuestion = {
  command: "Refresh",
  question: "Would you like to update the state with what was found?",
  explanation: "Conn3x will write these changes to the state. Nothing is done on any host.",
};

export function runRefresh(context: Context<SessionOption>): Promise<ExitCode> {
  const options: Options<SessionOption | FlagSpec<"auto-approve" | "refresh">> = {
    ...context.options,
    flag: (name) => name === "auto-approve" || name === "refresh" || context.options.flag(name),
  };
  return planAndApply({ ...context, options }, "refresh-only", keepingQuestion);
}
