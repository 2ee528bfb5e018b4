/**
 * @module `check` blocks: a failed condition is a warning and stops nothing.
 */
import type { Diagnostic } from "../../../diagnostics/diagnostic.ts";
import { evaluate } from "../../../eval/evaluate.ts";
import { inModule } from "../../../values/address.ts";
import { isUnknown } from "../../../values/value.ts";
import type { Loaded } from "../../evaluate/load.ts";
import type { World } from "../../evaluate/names/world.ts";
import type { CheckResult } from "../../state/check-results.ts";
import { type ConditionWords, resultOf, unmet } from "./conditions.ts";

/** What came of a check, with a warning for each of its assertions that does not hold, or of which that is not known. */
export interface MadeCheck extends CheckResult {
  readonly diagnostics: readonly Diagnostic[];
}

const assertionWords: ConditionWords = {
  failed: "Check block assertion failed",
  unclear: "A check cannot be made",
  later: "A check is made at apply",
};

/** Makes all checks of all modules. */
export const makeChecks = (world: World, { modules }: Pick<Loaded, "modules">): readonly MadeCheck[] =>
  modules.flatMap((module) => {
    const scope = world.scope({}, undefined, module);
    return module.configuration.checks.map(({ name, assertions }): MadeCheck => {
      const address = inModule(module.address, `check.${name}`);
      const found = unmet(assertions, scope, assertionWords);
      return {
        ...resultOf("check", address, found),
        // An error in a check stops nothing either.
        diagnostics: found.map(({ diagnostic }) => ({
          // The location says which check of the root it is; a module may be there several times.
          ...(module.address === "" ? {} : { address }),
          ...diagnostic,
          severity: "warning",
        })),
      };
    });
  });

/** That the conditions of all variables hold, as far as that is known: where one does not, there is no plan. */
export const metConditions = (world: World, { modules }: Pick<Loaded, "modules">): readonly CheckResult[] =>
  modules.flatMap((module) => {
    const scope = world.scope({}, undefined, module);
    return [...module.configuration.variables.values()].flatMap(({ name, validations }) => {
      if (validations.length === 0) return [];
      const isKnown = validations.every(({ condition }) => !isUnknown(evaluate(condition, scope).value));
      return [
        {
          kind: "var" as const,
          address: inModule(module.address, `var.${name}`),
          status: isKnown ? ("pass" as const) : ("unknown" as const),
          messages: [],
        },
      ];
    });
  });
