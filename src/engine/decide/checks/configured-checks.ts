/**
 * @module Which checks and conditions are configured, in all modules: a plan about a part of these reports that the others
 * were not evaluated.
 */
import { inModule } from "../../../values/address.ts";
import type { Loaded } from "../../evaluate/load.ts";
import type { Checkable, CheckResult } from "../../state/check-results.ts";

/** Several for one location in the configuration, where its module has several instances. */
export function configuredConditions({ modules, resources }: Loaded): readonly Checkable[] {
  const named = modules.flatMap(({ address, configuration: { checks, variables, outputs } }) => {
    const at = (kind: CheckResult["kind"], text: string): Checkable => ({
      kind,
      address: inModule(address, text),
    });
    return [
      ...checks.map(({ name }) => at("check", `check.${name}`)),
      ...[...variables.values()].flatMap(({ name, validations }) =>
        validations.length === 0 ? [] : [at("var", `var.${name}`)],
      ),
      ...[...outputs.values()].flatMap(({ name, preconditions = [] }) =>
        preconditions.length === 0 ? [] : [at("output_value", `output.${name}`)],
      ),
    ];
  });
  const ofResources = [...resources.values()].flatMap(({ resource, lifecycle }): readonly Checkable[] =>
    lifecycle.preconditions.length + lifecycle.postconditions.length === 0
      ? []
      : [{ kind: "resource", address: resource.address }],
  );
  return [...named, ...ofResources];
}

/** As OpenTofu has it of a plan that destroys everything: nothing is looked at, and the root module's outputs end. */
export const endingConditions = ({ modules }: Loaded): readonly CheckResult[] =>
  modules
    .filter(({ caller }) => caller === undefined)
    .flatMap(({ configuration }) =>
      [...configuration.outputs.values()].flatMap(({ name, preconditions = [] }): readonly CheckResult[] =>
        preconditions.length === 0
          ? []
          : [{ kind: "output_value", address: `output.${name}`, status: "unknown", messages: [] }],
      ),
    );
