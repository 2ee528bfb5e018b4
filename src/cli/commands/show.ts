/**
 * @module `conn3x show`
 */

import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { outputValues, readSavedPlan, type StateFile } from "../../engine/index.ts";
import { chosenEngine } from "../../tofu/program/program.ts";
import type { Context, ExitCode } from "../command.ts";
import type { FlagSpec, Options } from "../command-line/option.ts";
import type {
  EngineOption,
  SessionOption,
  ShownPlanOption,
  StateOption,
} from "../command-line/shared-options.ts";
import { planJson } from "../json/plan-json.ts";
import { stateJson } from "../json/state-json.ts";
import { renderState, type ShownInstance } from "../render/state.ts";
import { type Planning, withPlan } from "../run-session.ts";
import { urnsFor } from "../state/instance-name.ts";
import { readStored } from "../state/state-backend.ts";
import { isProblem, type StoredInstance, storedInstances, storedValue } from "../state/stored.ts";
import type { Terminal } from "../terminal/terminal.ts";

type ShowOption = StateOption | EngineOption | ShownPlanOption | FlagSpec<"json">;

export async function runShow(context: Context<ShowOption>): Promise<ExitCode> {
  const { terminal, options, args } = context;
  const [path] = args;
  if (path !== undefined) return showPlan(context, path);
  const { file, problem } = await readStored(options);
  if (file === undefined) {
    terminal.report([problem]);
    return 1;
  }
  if (options.flag("json")) {
    terminal.json(`${stateJson(file, urnsFor(options))}\n`);
    return 0;
  }
  return showInstances(terminal, storedInstances(file), file);
}

/** Makes the plan again from what its file holds: no host is asked. */
async function showPlan(context: Context<ShowOption>, path: string): Promise<ExitCode> {
  const { options } = context;
  if (chosenEngine(options.value("engine"), process.env) !== undefined)
    return showMade(context, { mode: "normal", operation: "OperationTypePlan", savedFile: path });
  const { plan: saved, problem } = await readSavedPlan(path);
  if (saved === undefined) {
    context.terminal.report([problem]);
    return 1;
  }
  return showMade(context, { mode: saved.options.mode, operation: "OperationTypePlan", saved });
}

async function showMade(context: Context<ShowOption>, planning: Planning): Promise<ExitCode> {
  const { terminal, options } = context;
  const asSaved: Options<SessionOption | FlagSpec<"refresh">> = {
    flag: (name) =>
      name === "refresh" || (name === "expand" || name === "show-replace-steps" ? options.flag(name) : false),
    value: (name) =>
      name === "state" || name === "engine" || name === "format" ? options.value(name) : undefined,
    list: () => [],
    declaring: () => undefined,
    lists: [],
  };
  const json = options.flag("json");
  const shown = { ...context, options: asSaved, terminal: json ? withoutWarnings(terminal) : terminal };
  return withPlan(shown, planning, async ({ plan, configuration, view }) => {
    if (json) terminal.json(`${planJson(plan, configuration, urnsFor(options))}\n`);
    else view.planned(plan);
    return 0;
  });
}

/** The plan's warnings were shown when it was made: what reads JSON is given nothing else. */
const withoutWarnings = (terminal: Terminal): Terminal => ({
  ...terminal,
  report: (diagnostics) => terminal.report(diagnostics.filter(({ severity }) => severity === "error")),
});

/** Shows instances in readable form, and outputs where there are some to show. */
export function showInstances(
  terminal: Context["terminal"],
  instances: readonly StoredInstance[],
  { outputs }: Pick<StateFile, "outputs">,
): ExitCode {
  const shown: ShownInstance[] = [];
  const problems: Diagnostic[] = [];
  for (const instance of instances) {
    const object = storedValue(instance);
    if (isProblem(object)) problems.push(object);
    else shown.push({ ...instance, ...instance.stored, object });
  }
  terminal.report(problems);
  terminal.out(renderState(shown, outputValues(outputs), terminal.colors));
  return problems.length === 0 ? 0 : 1;
}
