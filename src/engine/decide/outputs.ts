/**
 * @module Outputs: their stored and their planned values.
 */
import { errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { evaluate } from "../../eval/evaluate.ts";
import { valuesEqual } from "../../values/equal.ts";
import { containsMark, withMark } from "../../values/marks.ts";
import { isNull, type Value } from "../../values/value.ts";
import { isWhollyFinite, isWhollyKnown } from "../../values/walk.ts";
import type { Loaded } from "../evaluate/load.ts";
import type { World } from "../evaluate/names/world.ts";
import type { Problems } from "../evaluate/problems.ts";
import { ephemeralOutput } from "../evaluate/variables/ephemeral.ts";
import type { OutputChange } from "../plan.ts";
import type { State } from "../state/state.ts";
import { outputValue } from "../state/stored-object.ts";

/** Outputs of a run that is about a part only: what does not become known stays what it was. */
export function outputsOfPart(outputs: readonly OutputChange[]): readonly OutputChange[] {
  return outputs.map((output) => {
    const { before, after } = output;
    return after !== undefined && !isWhollyKnown(after) ? { ...output, after: before } : output;
  });
}

/**
 * Every output that is or was there. One that stays equal has the same value object on both sides.
 *
 * @param world undefined when all outputs go
 */
export function planOutputs(
  world: World | undefined,
  loaded: Loaded,
  state: State,
  problems: Problems,
): readonly OutputChange[] {
  const after = world === undefined ? new Map<string, Value>() : evaluateOutputs(world, loaded, problems);
  const names = new Set([...after.keys(), ...state.outputs.keys()]);
  return [...names].map((name) => {
    const stored = state.outputs.get(name);
    const before = stored === undefined ? undefined : outputValue(stored);
    const now = after.get(name);
    const sensitive = loaded.configuration.outputs.get(name)?.sensitive ?? stored?.sensitive ?? false;
    const same =
      before !== undefined &&
      now !== undefined &&
      sensitive === stored?.sensitive &&
      valuesEqual(before, now);
    return { name, before, after: same ? before : now, sensitive };
  });
}

/**
 * Looks at all local values, and at all variables and outputs of modules, so that what is wrong with one is said even where nothing refers to it:
 * the world reports it.
 */
export function evaluateNamedValues(world: World, { modules }: Loaded): void {
  for (const module of modules) {
    const scope = world.scope({}, undefined, module);
    for (const name of module.configuration.locals.keys()) scope.resolve?.("local", [{ attribute: name }]);
    if (module.caller === undefined) continue;
    for (const name of module.configuration.variables.keys()) scope.resolve?.("var", [{ attribute: name }]);
    const { module: from, call } = module.caller;
    world.scope({}, undefined, from).resolve?.("module", [{ attribute: call.name }]);
  }
}

/** Values of the outputs that are not null, sensitive ones marked. */
export function evaluateOutputs(
  world: World,
  loaded: Loaded,
  problems: Problems,
): ReadonlyMap<string, Value> {
  const values = new Map<string, Value>();
  for (const output of loaded.configuration.outputs.values()) {
    const { name, expression, sensitive } = output;
    const { value, diagnostics } = evaluate(expression, world.scope({}));
    if (!problems.reportAll(diagnostics)) continue;
    if (output.ephemeral || containsMark(value, "ephemeral")) {
      problems.report(
        ephemeralOutput(output, "Outputs of the root module are stored: use ephemeralasnull()."),
      );
      continue;
    }
    if (!sensitive && containsMark(value, "sensitive")) {
      problems.report(
        errorDiagnostic(
          `Output "${name}" would show something sensitive`,
          "Set sensitive = true in the output, or use nonsensitive() on what may be shown.",
          { range: expression },
        ),
      );
      continue;
    }
    if (!isWhollyFinite(value)) {
      problems.report(
        errorDiagnostic(
          `Output "${name}" is an infinity`,
          "An infinity, which a division by zero gives, can be reckoned with and cannot be stored.",
          { range: expression },
        ),
      );
      continue;
    }
    if (!isNull(value)) values.set(name, sensitive ? withMark(value, "sensitive") : value);
  }
  return values;
}
