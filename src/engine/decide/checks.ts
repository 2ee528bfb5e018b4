/**
 * @module `check` blocks: what should hold, with a warning where it does not. They stop nothing.
 */
import type { Condition } from "../../compiler/model.ts";
import { type Diagnostic, hasErrors, warningDiagnostic } from "../../diagnostics/diagnostic.ts";
import { evaluate } from "../../eval/evaluate.ts";
import type { Scope } from "../../eval/scope.ts";
import { inModule } from "../../values/address.ts";
import { convert, isConversionError } from "../../values/convert.ts";
import { containsMark } from "../../values/marks.ts";
import { boolType, stringType } from "../../values/type.ts";
import { isUnknown } from "../../values/value.ts";
import type { Loaded } from "../load/load.ts";
import type { World } from "../load/world.ts";
import type { CheckResult } from "../state/check-results.ts";

/** What came of a check, with a warning for each of its assertions that does not hold, or of which that is not known. */
export interface MadeCheck extends CheckResult {
  readonly diagnostics: readonly Diagnostic[];
}

/** Makes all checks of all modules. */
export const makeChecks = (world: World, { modules }: Pick<Loaded, "modules">): readonly MadeCheck[] =>
  modules.flatMap((module) => {
    const scope = world.scope({}, undefined, module);
    return module.configuration.checks.map(({ name, assertions }): MadeCheck => {
      const address = inModule(module.address, `check.${name}`);
      const found = assertions.flatMap((assertion) => unmet(assertion, address, scope) ?? []);
      const status = (["error", "fail", "unknown"] as const).find((one) =>
        found.some((each) => each.status === one),
      );
      return {
        kind: "check",
        address,
        status: status ?? "pass",
        messages: found.flatMap((each) => (each.status === "fail" ? [each.diagnostic.detail] : [])),
        diagnostics: found.map(({ diagnostic }) => diagnostic),
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

interface Unmet {
  readonly status: Exclude<CheckResult["status"], "pass">;
  readonly diagnostic: Diagnostic;
}

function unmet({ condition, message }: Condition, address: string, scope: Scope): Unmet | undefined {
  const warning = (summary: string, detail: string, range: Condition["range"]): Diagnostic =>
    warningDiagnostic(summary, detail, { address, range });
  const { value, diagnostics } = evaluate(condition, scope);
  const [problem] = diagnostics.filter(({ severity }) => severity === "error");
  // An error in a check stops nothing either.
  if (problem !== undefined)
    return { status: "error", diagnostic: { address, ...problem, severity: "warning" } };
  const answer = convert(value, boolType);
  if (isConversionError(answer) || answer.value.data === null) {
    const diagnostic = warning(
      "A check cannot be made",
      "Its condition is neither true nor false.",
      condition,
    );
    return { status: "error", diagnostic };
  }
  if (isUnknown(answer.value)) {
    const diagnostic = warning(
      "A check is made at apply",
      "What it is about is not known before: whether it holds is said when this plan is applied.",
      condition,
    );
    return { status: "unknown", diagnostic };
  }
  if (answer.value.data === true) return undefined;
  return { status: "fail", diagnostic: warning("A check failed", textOf(message, scope), condition) };
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
