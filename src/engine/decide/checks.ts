/**
 * @module `check` blocks: what should hold, with a warning where it does not. They stop nothing.
 */
import type { Condition } from "../../compiler/model.ts";
import { type Diagnostic, hasErrors, warningDiagnostic } from "../../diagnostics/diagnostic.ts";
import { evaluate } from "../../eval/evaluate.ts";
import type { Scope } from "../../eval/scope.ts";
import { convert, isConversionError } from "../../values/convert.ts";
import { containsMark } from "../../values/marks.ts";
import { boolType, stringType } from "../../values/type.ts";
import { isUnknown } from "../../values/value.ts";
import type { Loaded } from "../load/load.ts";
import type { World } from "../load/world.ts";
import { inModule } from "../state/resource-name.ts";

/** A warning for each assertion of each check, in all modules, that does not hold, or of which that is not known. */
export const unmetChecks = (world: World, { modules }: Pick<Loaded, "modules">): readonly Diagnostic[] =>
  modules.flatMap((module) => {
    const scope = world.scope({}, undefined, module);
    return module.configuration.checks.flatMap(({ name, assertions }) => {
      const address = inModule(module.address, `check.${name}`);
      return assertions.flatMap((assertion) => unmet(assertion, address, scope) ?? []);
    });
  });

function unmet({ condition, message }: Condition, address: string, scope: Scope): Diagnostic | undefined {
  const warning = (summary: string, detail: string, range: Condition["range"]): Diagnostic =>
    warningDiagnostic(summary, detail, { address, range });
  const { value, diagnostics } = evaluate(condition, scope);
  const [problem] = diagnostics.filter(({ severity }) => severity === "error");
  // An error in a check stops nothing either.
  if (problem !== undefined) return { address, ...problem, severity: "warning" };
  const answer = convert(value, boolType);
  if (isConversionError(answer) || answer.value.data === null) {
    return warning("A check cannot be made", "Its condition is neither true nor false.", condition);
  }
  if (isUnknown(answer.value)) {
    return warning(
      "A check is made at apply",
      "What it is about is not known before: whether it holds is said when this plan is applied.",
      condition,
    );
  }
  return answer.value.data === true
    ? undefined
    : warning("A check failed", textOf(message, scope), condition);
}

/** What the assertion says itself. */
function textOf(message: Condition["message"], scope: Scope): string {
  const { value, diagnostics } = evaluate(message, scope);
  const text = convert(value, stringType);
  const isShown =
    !hasErrors(diagnostics) && !isConversionError(text) && !containsMark(text.value, "sensitive");
  return isShown && typeof text.value.data === "string"
    ? text.value.data
    : "Its condition does not hold. Its message is sensitive, not known, or no text.";
}
