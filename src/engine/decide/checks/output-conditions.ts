/**
 * @module `precondition` of outputs, in all modules: nothing is stored of an output whose condition does not hold.
 */
import type { Diagnostic } from "../../../diagnostics/diagnostic.ts";
import { inModule } from "../../../values/address.ts";
import type { Loaded } from "../../evaluate/load.ts";
import type { World } from "../../evaluate/names/world.ts";
import type { CheckResult } from "../../state/check-results.ts";
import { type ConditionWords, resultOf, unmet } from "./conditions.ts";

const words: ConditionWords = {
  failed: "A precondition of an output does not hold",
  unclear: "A precondition of an output is no condition",
  later: "A precondition of an output is looked at while applying",
};

export interface OutputConditions extends CheckResult {
  /** Name of the output, where it is the root module's. */
  readonly output: string | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

export const outputConditions = (
  world: World,
  { modules }: Pick<Loaded, "modules">,
): readonly OutputConditions[] =>
  modules.flatMap((module) => {
    const scope = world.scope({}, undefined, module);
    return [...module.configuration.outputs.values()].flatMap(({ name, preconditions = [] }) => {
      if (preconditions.length === 0) return [];
      const found = unmet(preconditions, scope, words);
      const address = inModule(module.address, `output.${name}`);
      const diagnostics = found.flatMap(({ status, diagnostic }) =>
        status === "unknown" ? [] : [{ address, ...diagnostic }],
      );
      const output = module.caller === undefined ? name : undefined;
      return [{ ...resultOf("output_value", address, found), output, diagnostics }];
    });
  });
