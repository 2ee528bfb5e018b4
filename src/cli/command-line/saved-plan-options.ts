/**
 * @module Options that say what is planned, beside a plan that was made already: nobody may believe that they count.
 */

import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { InputsOfPlan } from "../../engine/index.ts";
import { readOption } from "../configuration/variables.ts";
import type { GivenLists, Options } from "./option.ts";
import type { PlanModeOption, RunOption } from "./shared-options.ts";

const lists = ["target", "circuit", "step", "limit", "replace"] as const;
const modes = ["destroy", "refresh-only"] as const;

/**
 * {@link variablesOfPlanning} reports variables, and so do other engines.
 *
 * @returns undefined when nothing of the kind was given
 */
export function optionsOfPlanning(
  options: Options<RunOption | PlanModeOption>,
  path: string,
): Diagnostic | undefined {
  const given = [
    ...lists.filter((name) => options.list(name).length > 0),
    ...modes.filter((name) => options.flag(name)),
    ...(options.flag("refresh") ? [] : ["refresh=false"]),
  ];
  return refusal(given, path);
}

/**
 * A plan of the embedded engine has the values of its variables, but for ephemeral ones, which are given again. The others
 * may be given as they are in it, so that a file with both can.
 *
 * @returns undefined when nothing else was given
 */
export function variablesOfPlanning(
  { lists: given }: GivenLists,
  { ephemeral, variables }: InputsOfPlan,
  path: string,
): Diagnostic | undefined {
  const planned = new Map(variables.map(({ name, text }) => [name, text]));
  const counts = given.filter((option) =>
    readOption(option)?.inputs.some(
      ({ name, text }) => !ephemeral.includes(name) && planned.get(name) !== text,
    ),
  );
  return refusal([...new Set(counts.map(({ name }) => name))], path);
}

function refusal(names: readonly string[], path: string): Diagnostic | undefined {
  if (names.length === 0) return undefined;
  const given = names.map((name) => `-${name}`).join(", ");
  const [says, them] = names.length === 1 ? ["says", "it"] : ["say", "them"];
  return errorDiagnostic(
    `A saved plan takes no ${given}`,
    `${path} is applied as it was planned, and ${given} ${says} what is planned. Leave ${them} out, or give ${them} to conn3x plan -out. Nothing was done.`,
  );
}
