/**
 * @module `conn3x_command_action`: what a handler with a `command` block runs (C6–C10).
 */
import { checkCommand } from "../command/check.ts";
import { runCommand } from "../command/operation.ts";
import { commandSettings } from "../command/settings.ts";
import { commandTitle } from "../command/title.ts";
import type { ActionKind } from "../kind.ts";
import { hostResource } from "../settings.ts";
import { actionTriggers, runAgainOnTriggers } from "../triggers.ts";

export const commandActionKind: ActionKind = {
  role: "action",
  name: "command",
  type: "conn3x_command_action",
  schema: hostResource(
    "Runs a command when it is created, and again whenever `triggers` change; changing the command alone runs nothing. What handlers of circuits compile to. Nothing is read from the host, and removing it does nothing there.",
    { ...commandSettings({ hostEffect: false }), triggers: actionTriggers },
  ),
  id: { from: [], of: () => "command" },
  title: commandTitle,
  check: checkCommand,
  plan: runAgainOnTriggers,
  run: (want) => [runCommand(want)],
};
