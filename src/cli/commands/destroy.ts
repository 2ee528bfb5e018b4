/**
 * @module `conn3x destroy`
 */

import { planAndApply } from "../act.ts";
import type { Context, ExitCode } from "../command.ts";
import type { approval, RunOption } from "../command-line/shared-options.ts";

export const runDestroy = (context: Context<RunOption | typeof approval>): Promise<ExitCode> =>
  planAndApply(context, "destroy", {
    command: "Destroy",
    question: "Do you really want to destroy all of this?",
    explanation: "Conn3x will remove from the hosts what it made there, as shown above. There is no undo.",
  });
