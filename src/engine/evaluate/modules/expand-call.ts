/**
 * @module The instances of a module call.
 */
import type { ModuleCall } from "../../../compiler/index.ts";
import { errorDiagnostic, hasErrors } from "../../../diagnostics/diagnostic.ts";
import { evaluate } from "../../../eval/evaluate.ts";
import type { Expression } from "../../../hcl/tree.ts";
import { isUnknown } from "../../../values/value.ts";
import { isWhollyKnown } from "../../../values/walk.ts";
import type { Surroundings } from "../names/surroundings.ts";
import { createWorld } from "../names/world.ts";
import type { Problems } from "../problems.ts";
import { type Expansion, expand } from "../resources/expansion.ts";
import { nothingKnown } from "../resources/resource-values.ts";
import type { ModuleInstance } from "./module-instance.ts";

/**
 * Must follow from what is known without any resource.
 *
 * @returns undefined when that was wrong, which has been reported
 */
export function expandCall(
  module: ModuleInstance,
  { name, forEach, count }: ModuleCall,
  surroundings: Omit<Surroundings, "isFixed" | "fixed">,
  unset: "error" | "unknown",
  problems: Problems,
): Expansion | "unknown" | undefined {
  const everything = { ...surroundings, isFixed: () => false, fixed: new Map() };
  const world = createWorld(everything, nothingKnown, (problem) => problems.report(problem));
  const scope = world.scope({}, undefined, module);
  const expression = forEach ?? count;
  if (expression !== undefined) {
    const { value, diagnostics } = evaluate(expression, scope);
    const isOpen = isUnknown(value) || (value.type.kind === "set" && !isWhollyKnown(value));
    if (isOpen && !hasErrors(diagnostics)) {
      if (unset === "unknown") return "unknown";
      problems.report(comesTooLate(name, expression));
      return undefined;
    }
  }
  const { expansion, diagnostics } = expand(forEach, count, scope);
  problems.reportAll(diagnostics);
  return expansion;
}

const comesTooLate = (name: string, range: Expression) =>
  errorDiagnostic(
    `Which instances module "${name}" has comes from a resource`,
    "The embedded engine must know it before anything is planned: take it from variables and local values, or use -engine=tofu.",
    { range },
  );
