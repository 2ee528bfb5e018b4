/**
 * @module `conn3x show`
 */
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { StateFile } from "../../engine/state/state.ts";
import { outputValues } from "../../engine/state/stored-object.ts";
import type { Context, ExitCode } from "../command.ts";
import { renderState, type ShownInstance } from "../render/state.ts";
import { stateJson } from "../render/state-json.ts";
import { isProblem, readStored, type StoredInstance, storedInstances, storedValue } from "../stored.ts";

export async function runShow({ terminal, options }: Context): Promise<ExitCode> {
  const { file, problem } = await readStored(options);
  if (file === undefined) {
    terminal.report([problem]);
    return 1;
  }
  if (options.flag("json")) {
    terminal.out(`${stateJson(file)}\n`);
    return 0;
  }
  return showInstances(terminal, storedInstances(file), file);
}

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
    else shown.push({ ...instance, tainted: instance.stored.tainted, object });
  }
  terminal.report(problems);
  terminal.out(renderState(shown, outputValues(outputs), terminal.colors));
  return problems.length === 0 ? 0 : 1;
}
