/**
 * @module `conn3x_command`: runs what the user wrote, once and whenever something that it depends on changes.
 */
import type { PlainObject } from "../../values/plain.ts";
import type { Effect, Found, StepKind } from "../kind.ts";
import type { CommandAnswer, Operation } from "../operation.ts";
import { compile } from "../regexp.ts";
import { runsWhenChanged } from "../run-condition.ts";
import { checkCommand } from "./check.ts";
import { type GuardFacts, guardCommands, guardFacts, isDone, isInPlace, isPossible } from "./guards.ts";
import { resultOf, runCommand } from "./operation.ts";
import { commandSchema } from "./schema.ts";
import { commandTitle, shownCommand } from "./title.ts";

const results = ["stdout", "stderr", "exit_code", "ran"];
const condition = runsWhenChanged(commandSchema, results);

export const commandKind: StepKind<GuardFacts, string | null> = {
  role: "step",
  name: "command",
  type: "conn3x_command",
  schema: commandSchema,
  id: {
    from: ["creates"],
    of: ({ creates }) => (typeof creates === "string" ? `command for ${creates}` : "command"),
  },
  title: commandTitle,
  shown: shownCommand,
  check: checkCommand,
  facts: guardFacts,
  closer: guardCommands,
  isOurs: isInPlace,
  observe: (_, object) => object,
  plan: condition.plan,
  operate: operateCommand,
  outcome: outcomeOf,
  remove: () => [],
};

function operateCommand(
  want: PlainObject,
  found: Found<GuardFacts>,
  prior?: PlainObject,
): readonly Operation[] {
  if (found.state !== "present") {
    const why = found.state === "absent" ? "cannot be seen" : found.why;
    return [
      {
        do: "refuse",
        summary: "Cannot run the command",
        detail: `On the host, ${typeof want.creates === "string" ? want.creates : "what it depends on"} ${why}.`,
      },
    ];
  }
  const { facts } = found;
  if (isDone(facts) === true || !isPossible(facts)) return [];
  return condition.hasToRun(want, prior) ? [runCommand(want)] : [];
}

function outcomeOf(want: PlainObject, answers: readonly CommandAnswer[], prior?: PlainObject): Effect {
  const [answer] = answers;
  if (answer === undefined) {
    const stored = Object.fromEntries(results.map((name) => [name, prior?.[name] ?? null]));
    return { attributes: { ...stored, ran: prior?.ran ?? false }, changed: true };
  }
  const changed =
    typeof want.changed_when !== "string" || compile(want.changed_when).test(answer.stdout.toString("utf8"));
  return { attributes: resultOf(want, answer), changed };
}
