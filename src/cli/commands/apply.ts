/**
 * @module `conn3x apply`
 */
import { planAndApply } from "../act.ts";
import type { Context, ExitCode } from "../command.ts";

export const runApply = (context: Context): Promise<ExitCode> =>
  planAndApply(context, "normal", {
    command: "Apply",
    question: "Do you want to perform these actions?",
    explanation: "Conn3x will perform the actions described above.",
  });
