/**
 * @module `conn3x destroy`
 */
import { planAndApply } from "../act.ts";
import type { Context, ExitCode } from "../command.ts";

export const runDestroy = (context: Context): Promise<ExitCode> =>
  planAndApply(context, "destroy", {
    command: "Destroy",
    question: "Do you really want to destroy all of this?",
    explanation: "Conn3x will remove from the hosts what it made there, as shown above. There is no undo.",
  });
